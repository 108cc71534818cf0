import { Upload, X } from 'lucide-react';
import { useAction } from '../../api/writes.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import type { Kind } from './import-draft.ts';
import { kinds } from './import-words.ts';

/** A row for one kind of record, with its file if there is one. */
export function FileChoice({
  kind,
  file,
  onChange,
}: {
  kind: Kind;
  file: File | undefined;
  onChange: (file: File | null) => void;
}) {
  const { word, about } = kinds[kind];
  const choose = useAction(async (chosen: File | undefined) => {
    // Read now, because a file that changes on disk can no longer be sent.
    if (chosen) onChange(new File([await chosen.arrayBuffer()], chosen.name));
  });
  return (
    <li className="flex items-center justify-between gap-3 border-b border-line py-2">
      <div className="min-w-0">
        <div className="font-medium">{word}</div>
        <div className="text-sm text-soft wrap-anywhere">{file ? file.name : about}</div>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {file && (
          <IconButton label={`Remove ${file.name}`} onClick={() => onChange(null)}>
            <X />
          </IconButton>
        )}
        <label
          className={buttonClass(
            'plain',
            'relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent',
          )}
        >
          <Upload aria-hidden="true" />
          {file ? 'Change file' : 'Choose file'}
          <input
            type="file"
            aria-label={`${word} file`}
            accept=".csv,.tsv,.txt,.xlsx,text/csv"
            className="sr-only"
            onChange={({ target }) => {
              void choose.run(target.files?.[0]);
              // So that the same file can be chosen again after it was corrected.
              target.value = '';
            }}
          />
        </label>
      </div>
    </li>
  );
}
