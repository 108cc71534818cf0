import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from './button.tsx';

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await toClipboard(text))) {
      toast.error('Your browser does not allow copying here. Select the text and copy it.');
      return;
    }
    setCopied(true);
    toast.success('Copied');
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <Button onClick={copy} icon={isCopied ? <Check /> : <Copy />}>
      {label}
    </Button>
  );
}

/** The clipboard API exists only on https and localhost. */
async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'fixed opacity-0';
  // An open dialog would take the focus back from anything outside it.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  return done;
}

/** A value to copy: a key, a secret, a link, a command. */
export function CopyBlock({ label, text, shown = text }: { label: string; text: string; shown?: string }) {
  return (
    <div>
      <div className="mb-1 flex items-end justify-between gap-2">
        <span className="text-sm font-medium">{label}</span>
        <CopyButton text={text} />
      </div>
      <pre className="rounded-md border border-line bg-side px-3 py-2 font-mono text-sm break-all whitespace-pre-wrap">
        {shown}
      </pre>
    </div>
  );
}
