import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { post } from '../../api/writes.ts';
import { Check } from '../../ui/forms/check.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';

/** A field for a code of the authenticator app, or for a recovery code. */
export const CodeField = ({ label = 'Code', hint }: { label?: string; hint?: string }) => (
  <TextField
    name="code"
    label={label}
    autoComplete="one-time-code"
    autoCapitalize="none"
    spellCheck={false}
    required
    autoFocus
    hint={hint}
  />
);

/** The second step of signing in, after the password. */
export function CodeForm({ onDone, onOver }: { onDone: () => Promise<unknown>; onOver: () => void }) {
  const [hasApp, setHasApp] = useState(true);
  return (
    <div>
      <Form
        // The key makes a new form, with an empty field.
        key={String(hasApp)}
        isWide
        submit="Sign in"
        onSubmit={async (values) => {
          try {
            await post('/sign-in/code', {
              code: values.text('code'),
              trust_device: values.has('trust_device'),
            });
          } catch (error) {
            // The challenge has ended, and only the password makes a new one.
            if (error instanceof ApiError && error.status === 401) onOver();
            throw error;
          }
          await onDone();
        }}
      >
        {hasApp ? (
          <CodeField label="Code from your authenticator app" />
        ) : (
          <CodeField label="Recovery code" hint="One of those you saved. It works once." />
        )}
        <Check
          name="trust_device"
          label="Trust this browser for 30 days"
          about="Until then you only need your password here."
        />
      </Form>
      <button
        type="button"
        onClick={() => setHasApp(!hasApp)}
        className="mt-4 text-accent-ink underline-offset-2 hover:underline"
      >
        {hasApp ? 'Use a recovery code' : 'Use your authenticator app'}
      </button>
    </div>
  );
}
