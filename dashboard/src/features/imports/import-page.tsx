import { useState } from 'react';
import { toast } from 'sonner';
import type { ImportResult } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Problem, Skeleton } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { count } from '../../ui/words.ts';
import { FileChoice } from './file-choice.tsx';
import { FilePreview } from './file-preview.tsx';
import { ImportChoices } from './import-choices.tsx';
import { type ImportFile, sendImport, useImportDraft } from './import-draft.ts';
import { fileStatus, kindNames, kinds } from './import-words.ts';
import { RejectedRows } from './rejected-rows.tsx';

export function ImportPage() {
  const canWrite = useCanWrite();
  return (
    <Page
      title="Import"
      about="Add records from spreadsheets, as Excel (XLSX) or CSV. Nothing changes until you choose Import."
    >
      {canWrite ? (
        <Import />
      ) : (
        <Empty title="Your role does not allow this">Ask an owner or a manager to import.</Empty>
      )}
    </Page>
  );
}

function Import() {
  const { draft, preview, error, isReading, ...on } = useImportDraft();
  const [result, setResult] = useState<ImportResult | null>(null);
  const apply = useAction(async () => {
    const done = await saved(sendImport('apply', draft));
    setResult(done);
    if (!done.ok) {
      toast.error('Not everything was imported: something changed since the preview.');
      return;
    }
    toast.success(`Imported: ${count(changed(done), 'record')} created or changed`);
    on.startOver();
  });
  return (
    <div className="flex flex-col gap-8">
      {result && <ImportSummary result={result} />}
      <Section title="Files" className="max-w-[640px]">
        <ul className="border-t border-line">
          {kindNames.map((kind) => (
            <FileChoice
              key={kind}
              kind={kind}
              file={draft.files[kind]}
              onChange={(file) => {
                setResult(null);
                on.setFile(kind, file);
              }}
            />
          ))}
        </ul>
      </Section>
      {error && <Problem error={error} onRetry={on.readAgain} />}
      {!preview && isReading && <Skeleton />}
      {preview && !error && (
        <div
          className={cx('flex flex-col gap-8', isReading && 'opacity-60 transition-opacity')}
          aria-busy={isReading}
        >
          {preview.files.map((file) => (
            <FilePreview
              key={file.kind}
              file={file}
              onMap={(header, field) => on.setColumn(file.kind, header, field)}
            />
          ))}
          <ImportChoices
            draft={draft}
            files={preview.files}
            onDateFormat={on.setDateFormat}
            onEvents={on.setEvents}
            onSkipErrors={on.setSkipErrors}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              kind="main"
              onClick={() => apply.run()}
              isBusy={apply.isBusy}
              disabled={!preview.ok || isReading}
            >
              {apply.isBusy ? 'Importing…' : 'Import'}
            </Button>
            {!preview.ok && (
              <p className="text-soft">Fix the errors first, here or in the file, or leave those rows out.</p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** What an import did, file by file. */
function ImportSummary({ result }: { result: ImportResult }) {
  return (
    <Section title={result.ok ? 'Imported' : 'Not everything was imported'}>
      <ul aria-label="Result" className="border-t border-line">
        {result.files.flatMap((file) =>
          madeBy(file).map(({ kind, create, update, unchanged }) => (
            <li
              key={`${file.kind} ${kind}`}
              className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2"
            >
              <span>
                <TextLink to={kinds[kind].page}>{kinds[kind].word}</TextLink>
                {file.status === 'applied' && (
                  <span className="text-soft">
                    {` ${create.toLocaleString()} created · ${update.toLocaleString()} changed · ${unchanged.toLocaleString()} unchanged`}
                  </span>
                )}
              </span>
              <Status of={fileStatus[file.status]} />
            </li>
          )),
        )}
      </ul>
      {result.files.map((file) => (
        <RejectedRows key={file.kind} file={file} />
      ))}
    </Section>
  );
}

/** A rent roll makes records of several kinds. */
const madeBy = (file: ImportFile) => (file.parts.length > 0 ? file.parts : [file]);

const changed = ({ files }: ImportResult): number =>
  files.reduce((sum, { status, create, update }) => sum + (status === 'applied' ? create + update : 0), 0);
