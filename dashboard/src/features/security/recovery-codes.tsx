import { Download } from 'lucide-react';
import { buttonClass } from '../../ui/button.tsx';
import { CopyBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** The only time that recovery codes are shown. */
export function ShowRecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <Dialog
      title="Your recovery codes"
      description="If you lose your phone, each of these lets you in once. Keep them where you keep your passwords. They are not shown again."
      onClose={onClose}
      done="I have saved them"
    >
      <CopyBlock label="Recovery codes" text={text} />
      <a
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        download="tenure-recovery-codes.txt"
        className={buttonClass('plain', 'mt-3')}
      >
        <Download aria-hidden="true" /> Download
      </a>
    </Dialog>
  );
}
