import { useState } from 'react';
import { encode } from 'uqr';
import type { AppSecret, RecoveryCodes } from '../../api/records.ts';
import { post, saved } from '../../api/writes.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { PasswordField } from '../auth/auth-forms.tsx';
import { CodeField } from '../auth/code-form.tsx';
import { ShowRecoveryCodes } from './recovery-codes.tsx';

/** Turns on two-factor sign-in: the password, then the app's first code, then the recovery codes. */
export function SetUpApp({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  const [made, setMade] = useState<AppSecret | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <ShowRecoveryCodes codes={codes} onClose={onClose} />;
  if (made) {
    return (
      <Dialog
        title="Scan this code"
        description="With an authenticator app on your phone. Then type the six digits that it shows."
        onClose={onClose}
      >
        <Form
          submit="Turn on"
          onCancel={onClose}
          onSubmit={async (values) => {
            const body = { code: values.text('code') };
            const { recovery_codes } = await saved(post<RecoveryCodes>('/two-factor/enable', body));
            setCodes(recovery_codes);
          }}
        >
          <QrCode text={made.uri} />
          <CopyBlock
            label="Or type this key"
            text={made.secret}
            shown={made.secret.match(/.{1,4}/g)?.join(' ') ?? ''}
          />
          <CodeField label="Code from your app" />
        </Form>
      </Dialog>
    );
  }
  return (
    <Dialog
      title="Turn on two-factor sign-in"
      description="You need an authenticator app. Many password managers have one."
      onClose={onClose}
    >
      <Form
        submit="Continue"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { password: values.secret('password') || undefined };
          setMade(await post<AppSecret>('/two-factor/set-up', body));
        }}
      >
        {hasPassword && <PasswordField label="Your password" />}
      </Form>
    </Dialog>
  );
}

/** Black on white even in dark mode, because cameras expect it. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-md bg-white fill-black"
    >
      <path d={squares.join('')} />
    </svg>
  );
}
