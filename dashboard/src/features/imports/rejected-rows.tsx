import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { buttonClass } from '../../ui/button.tsx';
import type { ImportFile } from './import-draft.ts';

/** Downloads the rows with errors, each with what is wrong with it, to be corrected and imported again. */
export function RejectedRows({ file: { file, rejected } }: { file: ImportFile }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (rejected === null) return;
    // The mark tells spreadsheets that the text is UTF-8.
    const made = URL.createObjectURL(new Blob(['\ufeff', rejected], { type: 'text/csv' }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [rejected]);
  if (rejected === null || address === undefined) return null;
  return (
    <p className="pt-3">
      <a href={address} download={`errors-${file}`} className={buttonClass()}>
        <Download aria-hidden="true" />
        Download rows with errors
      </a>
    </p>
  );
}
