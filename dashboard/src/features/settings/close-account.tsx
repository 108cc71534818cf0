import { Download } from 'lucide-react';
import { useState } from 'react';
import { fileAddress } from '../../api/client.ts';
import { startAfresh, useIsOwner, useSession } from '../../api/session.ts';
import { post } from '../../api/writes.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { PasswordField } from '../auth/auth-forms.tsx';

/** For owners: first a copy of everything, then closing the account. */
export function CloseAccount() {
  const { account, sso } = useSession();
  const [isAsking, setAsking] = useState(false);
  if (!useIsOwner() || !account) return null;
  return (
    <Section title="Close this account">
      <p className="mb-4 text-soft">
        Nobody in the team can sign in to it any more, API keys stop working, and webhooks and rent stop.
        After a while, everything in the account is erased for good. Until then, whoever runs this service can
        open it again. Download a copy of everything first.
      </p>
      <div className="flex flex-wrap gap-2">
        <a className={buttonClass()} href={fileAddress('/account/export', { format: 'zip' })} download>
          <Download aria-hidden="true" />
          Download everything
        </a>
        <Button kind="danger" onClick={() => setAsking(true)}>
          Close account
        </Button>
      </div>
      {isAsking && (
        <FormDialog
          title={`Close ${account.name}?`}
          description="You keep your own sign-in, and can open a new account with it."
          submit="Close account"
          onClose={() => setAsking(false)}
          onSubmit={async (values) => {
            await post('/account/close', {
              name: values.text('name'),
              password: values.secret('password') || undefined,
            });
            await startAfresh('/');
          }}
        >
          <TextField
            name="name"
            label="Name of the account"
            hint={`Type “${account.name}” to confirm.`}
            autoComplete="off"
            required
          />
          <PasswordField
            name="password"
            label="Your password"
            required={!sso}
            hint={
              sso ? `Leave it empty if you have none and have just signed in with ${sso.name}.` : undefined
            }
          />
        </FormDialog>
      )}
    </Section>
  );
}
