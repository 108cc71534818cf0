import type { ImportFile } from './import-draft.ts';

const rowsShown = 5;

/** The first rows as they are in the file. They may be wider than the page: then they scroll in their own box. */
export function SampleRows({ file }: { file: ImportFile }) {
  const rows = file.sample.slice(0, rowsShown);
  if (rows.length === 0) return null;
  return (
    <details>
      <summary className="cursor-pointer py-1 text-soft hover:text-ink">First rows</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="mt-1 overflow-x-auto" aria-label={`First rows of ${file.file}`} tabIndex={0}>
        <table className="text-left text-sm">
          <thead>
            <tr>
              <th scope="col" className="h-8 pr-5 font-medium text-soft">
                Line
              </th>
              {file.columns.map(({ header }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: headers can be there twice, and never move
                <th key={place} scope="col" className="h-8 pr-5 font-medium whitespace-nowrap text-soft">
                  {header || '–'}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, cells }) => (
              <tr key={line} className="border-t border-line">
                <td className="figures h-8 pr-5 text-soft">{line}</td>
                {file.columns.map((_, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a cell is known by its place
                  <td key={place} className="h-8 max-w-64 truncate pr-5">
                    {cells[place]}
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
