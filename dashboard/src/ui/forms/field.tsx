import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { cx } from '../class-names.ts';
import { moneyText } from './amounts.ts';
import { useFieldError } from './form.tsx';

interface FieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  className?: string;
  /** The record's value; null if it has none. */
  defaultValue?: string | number | null | undefined;
}
type Rest<Attributes> = Omit<Attributes, keyof FieldProps>;

interface Control {
  id: string;
  name: string;
  defaultValue: string | number | undefined;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

export const controlClass = cx(
  'h-10 w-full min-w-0 rounded-md border border-line-strong bg-ground px-3 text-lg text-ink sm:h-8 sm:px-2.5 sm:text-base',
  'aria-invalid:border-bad disabled:opacity-60',
  'focus-visible:border-accent focus-visible:outline-2 focus-visible:-outline-offset-1',
);

/** A label, its control, and the server's error, or else a hint. */
export function Field({
  name,
  label,
  hint,
  className,
  defaultValue,
  currency,
  children,
}: FieldProps & { currency?: string; children: (control: Control) => ReactNode }) {
  const id = useId();
  const error = useFieldError(name, currency);
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children({
        id,
        name,
        defaultValue: defaultValue ?? undefined,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error || hint ? `${id}-about` : undefined,
      })}
      {(error || hint) && (
        <p id={`${id}-about`} className={cx('text-sm', error ? 'text-bad' : 'text-soft')}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

type InputProps = FieldProps & Rest<InputHTMLAttributes<HTMLInputElement>> & { ref?: Ref<HTMLInputElement> };

export function TextField({ name, label, hint, className, defaultValue, ...rest }: InputProps) {
  return (
    <Field {...{ name, label, hint, className, defaultValue }}>
      {(control) => <input type="text" autoComplete="off" {...rest} {...control} className={controlClass} />}
    </Field>
  );
}

export function DateField(props: Omit<InputProps, 'type'>) {
  return <TextField {...props} type="date" min="1900-01-01" max="2999-12-31" />;
}

/** An amount of money, with its currency in the field. `cents` fills it, unless `value` controls it. */
export function MoneyField({
  name,
  label,
  hint,
  className,
  currency,
  cents,
  ...rest
}: InputProps & { currency: string; cents?: number | null | undefined }) {
  const defaultValue = rest.value === undefined ? moneyText(cents, currency) : undefined;
  return (
    <Field {...{ name, label, hint, className, defaultValue, currency }}>
      {(control) => (
        <div className="relative">
          <input
            type="text"
            inputMode="decimal"
            autoComplete="off"
            {...rest}
            {...control}
            className={cx(controlClass, 'pr-12 text-right sm:pr-12')}
          />
          <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center text-sm text-faint">
            {currency}
          </span>
        </div>
      )}
    </Field>
  );
}

type SelectProps = FieldProps &
  Rest<SelectHTMLAttributes<HTMLSelectElement>> & {
    options: { value: string; label: string }[];
    /** The label of the empty choice. */
    none?: string;
  };

export function SelectField({ name, label, hint, className, defaultValue, ...props }: SelectProps) {
  const { options, none, ...rest } = props;
  return (
    <Field {...{ name, label, hint, className, defaultValue }}>
      {(control) => (
        <select {...rest} {...control} className={selectClass}>
          {none !== undefined && <option value="">{none}</option>}
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export const selectClass = cx(
  controlClass,
  'appearance-none bg-[url(/chevron.svg)] bg-[length:16px] bg-[position:right_8px_center] bg-no-repeat pr-8 sm:pr-8',
);

type TextAreaProps = FieldProps & Rest<TextareaHTMLAttributes<HTMLTextAreaElement>>;

export function TextAreaField({ name, label, hint, className, defaultValue, ...rest }: TextAreaProps) {
  return (
    <Field {...{ name, label, hint, className, defaultValue }}>
      {(control) => (
        <textarea
          rows={3}
          {...rest}
          {...control}
          className={cx(controlClass, 'h-auto py-2 sm:h-auto sm:py-1.5')}
        />
      )}
    </Field>
  );
}

/** Fields side by side, on wide screens. */
export function FieldRow({ children, columns = 2 }: { children: ReactNode; columns?: 2 | 3 }) {
  return (
    <div className={cx('grid gap-4', columns === 2 ? 'sm:grid-cols-2' : 'sm:grid-cols-3')}>{children}</div>
  );
}
