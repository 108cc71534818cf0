import { withPlainNames } from '../../api/plain-words.ts';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { count } from '../../ui/words.ts';
import { ColumnMapping } from './column-mapping.tsx';
import type { ImportFile } from './import-draft.ts';
import { fileStatus, kinds } from './import-words.ts';
import { RejectedRows } from './rejected-rows.tsx';

type RowError = ImportFile['errors'][number];

const errorColumns: Column<RowError>[] = [
  {
    name: 'Line',
    phone: 'title',
    className: 'w-16',
    cell: ({ line }) => (
      <>
        <span className="md:hidden">Line </span>
        {line.toLocaleString()}
      </>
    ),
  },
  { name: 'Column', phone: 'aside', className: 'wrap-anywhere', cell: ({ column }) => column ?? 'Whole row' },
  { name: 'Reason', phone: 'line', className: 'wrap-anywhere', cell: ({ reason }) => withPlainNames(reason) },
];

/** What one file would change, and its errors. */
export function FilePreview({
  file,
  onMap,
}: {
  file: ImportFile;
  onMap: (header: string, field: string | null) => void;
}) {
  const { word } = kinds[file.kind];
  const hidden = file.error_count - file.errors.length;
  return (
    <Section title={word} about={file.file} actions={<Status of={fileStatus[file.status]} />}>
      <p aria-label={`Counts of ${word}`} role="status" className="mb-3 text-soft">
        {countsOf(file)}
      </p>
      <WhatItMakes file={file} />
      {file.errors.length > 0 && (
        <div className="mb-5">
          <h3 className="mb-1 font-medium text-bad">{count(file.error_count, 'error')}</h3>
          <Table
            label={`Errors of ${word}`}
            rows={file.errors}
            columns={errorColumns}
            rowKey={({ line, column, reason }) => `${line} ${column} ${reason}`}
            isSticky={false}
          />
          {hidden > 0 && <p className="pt-2 text-soft">And {hidden.toLocaleString()} more.</p>}
          <RejectedRows file={file} />
        </div>
      )}
      <ColumnMapping file={file} onChange={onMap} />
      <div className="mt-2">
        <SampleRows file={file} />
      </div>
    </Section>
  );
}

/** The recognised product, and the columns that are ignored. */
function WhatItMakes({ file }: { file: ImportFile }) {
  const { preset, parts, notes, ignored_columns: ignored } = file;
  return (
    <ul className="mb-4 flex flex-col gap-1">
      {preset && <li className="text-soft">Recognized as an export of {preset}.</li>}
      {parts.map((part) => (
        <li key={part.kind}>
          <span className="font-medium">{kinds[part.kind].word}</span>
          <span className="text-soft">{` ${countsOf({ ...part, skipped: 0, left_out: 0 })}`}</span>
        </li>
      ))}
      {notes.map((note) => (
        <li key={note} className="text-soft wrap-anywhere">
          {note}
        </li>
      ))}
      {ignored.length > 0 && (
        <li className="wrap-anywhere">
          <span className="font-medium">Not recognized, so not imported:</span> {ignored.join(', ')}
        </li>
      )}
    </ul>
  );
}

const rowsShown = 5;

/** The first rows of the file. Rows wider than the page scroll in a box of their own. */
function SampleRows({ file }: { file: ImportFile }) {
  const rows = file.sample.slice(0, rowsShown);
  if (rows.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer py-1 text-soft hover:text-ink">First rows</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <section className="mt-1 overflow-x-auto" aria-label={`First rows of ${file.file}`} tabIndex={0}>
        <table className="text-left text-sm">
          <thead>
            <tr>
              <th scope="col" className="h-8 pr-5 font-medium text-soft">
                Line
              </th>
              {file.columns.map(({ header }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: headers can repeat, and never move
                <th key={index} scope="col" className="h-8 pr-5 font-medium whitespace-nowrap text-soft">
                  {header || '–'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, cells }) => (
              <tr key={line} className="border-t border-line">
                <td className="figures h-8 pr-5 text-soft">{line}</td>
                {file.columns.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: cells never move
                  <td key={index} className="h-8 max-w-64 truncate pr-5">
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const countsOf = (
  file: Pick<ImportFile, 'create' | 'update' | 'unchanged' | 'skipped' | 'left_out'>,
): string =>
  [
    `${file.create.toLocaleString()} to create`,
    `${file.update.toLocaleString()} to change`,
    `${file.unchanged.toLocaleString()} unchanged`,
    file.skipped > 0 && `${count(file.skipped, 'line')} with titles or totals left out`,
    file.left_out > 0 && `${count(file.left_out, 'row')} with errors left out`,
  ]
    .filter(Boolean)
    .join(' · ');
