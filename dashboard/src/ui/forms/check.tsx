import { type ReactNode, useId } from 'react';

interface Props {
  name: string;
  label: string;
  value?: string;
  about?: ReactNode;
  isOn?: boolean | undefined;
  onChange?: (isOn: boolean) => void;
}

/** A checkbox with its label. */
export function Check({ name, label, value, about, isOn, onChange }: Props) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        type="checkbox"
        id={id}
        name={name}
        value={value ?? 'on'}
        defaultChecked={isOn}
        aria-describedby={about ? `${id}-about` : undefined}
        onChange={onChange && ((event) => onChange(event.target.checked))}
        className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="cursor-pointer font-medium">
          {label}
        </label>
        {about && (
          <div id={`${id}-about`} className="text-sm text-soft">
            {about}
          </div>
        )}
      </div>
    </div>
  );
}
