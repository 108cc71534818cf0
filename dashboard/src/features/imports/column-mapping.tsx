import { cx } from '../../ui/class-names.ts';
import { selectClass } from '../../ui/forms/field.tsx';
import type { ImportFile } from './import-draft.ts';
import { fieldWord, kinds } from './import-words.ts';

/** Maps the file's columns to fields. A few values of each help to recognize it. */
export function ColumnMapping({
  file,
  onChange,
}: {
  file: ImportFile;
  onChange: (header: string, field: string | null) => void;
}) {
  const named = file.columns
    .map((column, index) => ({ ...column, index }))
    .filter(({ header }) => header !== '');
  return (
    <ul aria-label={`Columns of ${kinds[file.kind].word}`} className="border-t border-line">
      {named.map(({ header, field, samples, index }) => (
        <li
          key={index}
          className="grid grid-cols-2 items-center gap-x-4 border-b border-line py-1.5 sm:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_240px]"
        >
          <span className="font-medium wrap-anywhere max-sm:col-start-1">{header}</span>
          <span className="truncate text-sm text-soft max-sm:col-start-1 max-sm:row-start-2">
            {samples.join(' · ')}
          </span>
          <select
            aria-label={`${header} is`}
            value={field ?? ''}
            onChange={(event) => onChange(header, event.target.value || null)}
            className={cx(
              selectClass,
              'max-sm:col-start-2 max-sm:row-span-2 max-sm:row-start-1',
              !field && 'text-soft!',
            )}
          >
            <option value="">Not imported</option>
            {file.fields.map(({ name, required }) => (
              <option key={name} value={name}>
                {fieldWord(name) + (required ? ' (required)' : '')}
              </option>
            ))}
          </select>
        </li>
      ))}
    </ul>
  );
}
