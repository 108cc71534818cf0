import type { ImportResult } from '../../api/records.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { Section } from '../../ui/page.tsx';
import { Status } from '../../ui/status.tsx';
import { fileStatus, kinds } from './import-words.ts';

/** What an import did, file by file. */
export function ImportSummary({ result }: { result: ImportResult }) {
  return (
    <Section title={result.ok ? 'Imported' : 'Not everything was imported'}>
      <ul aria-label="Result" className="border-t border-line">
        {result.files.map(({ kind, status, create, update, unchanged }) => (
          <li key={kind} className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2">
            <span>
              <TextLink to={kinds[kind].page}>{kinds[kind].word}</TextLink>
              {status === 'applied' && (
                <span className="text-soft">
                  {` ${create.toLocaleString()} created · ${update.toLocaleString()} changed · ${unchanged.toLocaleString()} unchanged`}
                </span>
              )}
            </span>
            <Status of={fileStatus[status]} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
