import { useState } from 'react';
import type { RecoveryCodes, Security } from '../../api/records.ts';
import { post, saved } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { PasswordField } from '../auth/auth-forms.tsx';
import { CodeField } from '../auth/code-form.tsx';
import { ShowRecoveryCodes } from './recovery-codes.tsx';
import { SetUpApp } from './set-up-app.tsx';

/** Signing in with a code of an authenticator app as well as the password. */
export function TwoFactor({ of }: { of: Security }) {
  const [open, setOpen] = useState<'set-up' | 'codes' | 'disable' | null>(null);
  const close = () => setOpen(null);
  const { enabled, has_app, recovery_codes_left: left } = of.two_factor;
  return (
    <Section
      title="Two-factor sign-in"
      actions={
        enabled ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('codes')}>New recovery codes</Button>
            <Button kind="danger" onClick={() => setOpen('disable')}>
              Turn off
            </Button>
          </div>
        ) : (
          <Button kind="main" onClick={() => setOpen('set-up')}>
            Turn on
          </Button>
        )
      }
    >
      <p>
        <Status of={enabled ? { word: 'On', tone: 'good' } : { word: 'Off', tone: 'off' }} />
      </p>
      <p className="mt-1 text-soft">
        {enabled
          ? `After your password you are asked for a code of your authenticator app. ${leftWords(left)}`
          : 'With an authenticator app on your phone, somebody who knows your password still cannot sign in.'}
      </p>
      {enabled && !has_app && (
        <p className="mt-1 text-bad">
          Your authenticator app no longer works here. Turn this off with a recovery code, then turn it on
          again.
        </p>
      )}
      {open === 'set-up' && <SetUpApp hasPassword={of.has_password} onClose={close} />}
      {open === 'codes' && <NewCodes hasPassword={of.has_password} onClose={close} />}
      {open === 'disable' && <TurnOff hasPassword={of.has_password} onClose={close} />}
    </Section>
  );
}

const leftWords = (left: number): string => {
  if (left === 0) return 'You have no recovery codes left: make new ones.';
  return `You have ${left === 1 ? 'one recovery code' : `${left} recovery codes`} left.`;
};

interface Props {
  hasPassword: boolean;
  onClose: () => void;
}

const Proof = ({ hasPassword }: { hasPassword: boolean }) => (
  <>
    {hasPassword && <PasswordField label="Your password" />}
    <CodeField hint="From your authenticator app, or a recovery code." />
  </>
);

function NewCodes({ hasPassword, onClose }: Props) {
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <ShowRecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <Dialog title="New recovery codes" description="The codes you have now stop working." onClose={onClose}>
      <Form
        submit="Make new codes"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { password: values.secret('password') || undefined, code: values.text('code') };
          const made = await saved(post<RecoveryCodes>('/two-factor/recovery-codes', body));
          setCodes(made.recovery_codes);
        }}
      >
        <Proof hasPassword={hasPassword} />
      </Form>
    </Dialog>
  );
}

function TurnOff({ hasPassword, onClose }: Props) {
  return (
    <Dialog
      title="Turn off two-factor sign-in?"
      description="You will sign in with your password alone."
      onClose={onClose}
    >
      <Form
        submit="Turn off"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { password: values.secret('password') || undefined, code: values.text('code') };
          await saved(post('/two-factor/disable', body), 'Two-factor sign-in is off');
          onClose();
        }}
      >
        <Proof hasPassword={hasPassword} />
      </Form>
    </Dialog>
  );
}
