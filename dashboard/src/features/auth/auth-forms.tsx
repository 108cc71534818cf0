import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import type { Session } from '../../api/records.ts';
import { startAfresh } from '../../api/session.ts';
import { post, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { controlClass, Field, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { CodeForm } from './code-form.tsx';
import { canUsePasskeys, signInWithPasskey } from './passkey.ts';

const EmailField = ({ value }: { value: string | undefined }) => (
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

/** A password field that can show what was typed. */
export function PasswordField({
  name = 'password',
  label = 'Password',
  isNew = false,
  required = true,
  hint = isNew ? 'At least 10 characters. A sentence is easy to remember.' : undefined,
}: {
  name?: string;
  label?: string;
  isNew?: boolean;
  required?: boolean;
  hint?: string | undefined;
}) {
  const [isShown, setShown] = useState(false);
  return (
    <Field name={name} label={label} hint={hint}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            type={isShown ? 'text' : 'password'}
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required={required}
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

/** Signs in; a given `email` cannot be changed. People with an authenticator app are asked for a code as well. */
export function SignInForm({ email, onDone }: { email?: string; onDone: () => Promise<unknown> }) {
  const [step, setStep] = useState<'password' | 'code' | 'over'>('password');
  const withPasskey = useAction(async () => {
    await signInWithPasskey();
    await onDone();
  });
  if (step === 'code') return <CodeForm onDone={onDone} onOver={() => setStep('over')} />;
  return (
    <div className="flex flex-col gap-4">
      {step === 'over' && (
        <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
          That took too long, or too many codes were wrong. Start again with your password.
        </p>
      )}
      <Form
        isWide
        submit="Sign in"
        onSubmit={async (values) => {
          const body = { email: email ?? values.text('email'), password: values.secret('password') };
          const { code_wanted } = await post<Session>('/sign-in', body);
          if (code_wanted) return setStep('code');
          await onDone();
        }}
      >
        <EmailField value={email} />
        <PasswordField />
      </Form>
      {canUsePasskeys() && (
        <Button icon={<Fingerprint />} onClick={() => withPasskey.run()} isBusy={withPasskey.isBusy}>
          Sign in with a passkey
        </Button>
      )}
    </div>
  );
}

/** Signs up: with an invitation to an existing account, or else with a new one. */
export const SignUpForm = ({ email, invitation }: { email?: string; invitation?: string }) => (
  <Form
    isWide
    submit="Sign up"
    onSubmit={async (values) => {
      await post('/sign-up', {
        name: values.text('name'),
        email: email ?? values.text('email'),
        password: values.secret('password'),
        account_name: values.text('account_name') || undefined,
        time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
        invitation,
      });
      await startAfresh('/');
    }}
  >
    <TextField name="name" label="Name" autoComplete="name" required />
    <EmailField value={email} />
    <PasswordField isNew />
    {!invitation && (
      <TextField
        name="account_name"
        label="Company (optional)"
        autoComplete="organization"
        hint="The name of your account. You can change it later."
      />
    )}
  </Form>
);
