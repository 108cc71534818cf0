import { useState } from 'react';
import { cx } from '../../ui/class-names.ts';
import { controlClass, Field, TextField } from '../../ui/forms/field.tsx';

export const EmailField = ({ value }: { value?: string }) => (
  <TextField
    name="email"
    label="Email"
    type="email"
    autoComplete="username"
    required
    defaultValue={value}
    readOnly={!!value}
  />
);

/** A password that can be looked at. */
export function PasswordField({
  name = 'password',
  label = 'Password',
  isNew = false,
}: {
  name?: string;
  label?: string;
  isNew?: boolean;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <Field
      name={name}
      label={label}
      hint={isNew ? 'At least 10 characters. A sentence is easy to remember.' : undefined}
    >
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            className={cx(controlClass, 'pr-14 sm:pr-14')}
          />
          <button
            type="button"
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
            className="absolute inset-y-0 right-0 rounded-md px-3 text-sm text-soft hover:text-ink"
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Field>
  );
}
