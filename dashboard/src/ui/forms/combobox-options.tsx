import type { ReactNode } from 'react';

export interface Option {
  value: string;
  label: string;
  about?: ReactNode;
}

/** The option that Enter takes, and whether the pointer or a key highlighted it. */
export interface Active {
  index: number;
  isPointed: boolean;
}

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

export function ComboboxOptions({
  id,
  label,
  options,
  active,
  onChoose,
  onPoint,
}: {
  id: string;
  label: string;
  options: Option[];
  active: Active;
  onChoose: (option: Option) => void;
  onPoint: (index: number) => void;
}) {
  return (
    <div role="listbox" id={id} aria-label={label}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: keys are heard by the field
        <div
          key={option.value}
          // Not for the pointer: the option would move away from under it.
          ref={index === active.index && !active.isPointed ? intoView : undefined}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === active.index}
          onClick={() => onChoose(option)}
          onPointerMove={() => onPoint(index)}
          className="flex items-baseline justify-between gap-3 rounded px-2 py-1.5 aria-selected:bg-hover"
        >
          <span className="min-w-0 truncate">{option.label}</span>
          {option.about && <span className="min-w-0 truncate text-sm text-soft">{option.about}</span>}
        </div>
      ))}
    </div>
  );
}

const intoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' });
