import { CopyBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** The only time that a secret is shown. */
export function SecretDialog({
  title,
  secret,
  onClose,
}: {
  title: string;
  secret: string;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={title}
      description="Keep the signing secret where your receiver can read it. It is not shown again."
      onClose={onClose}
      done="I have saved it"
    >
      <CopyBlock label="Signing secret" text={secret} />
      <p className="mt-3 text-sm text-soft">
        Each delivery carries <code className="font-mono">X-Service-Signature: t=…,v1=…</code>. v1 is the
        HMAC-SHA256 of <code className="font-mono">t.body</code> with this secret, in hexadecimal. Refuse
        requests older than 300 seconds. Libraries of Standard Webhooks verify it too, with the same secret.
      </p>
    </Dialog>
  );
}
