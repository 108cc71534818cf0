import { useInfiniteQuery } from '@tanstack/react-query';
import { MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { request } from '../../api/client.ts';
import type { HistoryEntry } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/date.tsx';
import { TextAreaField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { ChangedField } from './changed-field.tsx';
import { actorWords, whatHappened } from './history-words.ts';

const atOnce = 10;

/** Who changed a record, what and when, with notes. `path` is the record's path in the API. */
export function Timeline({
  path,
  currency,
  title = 'History',
}: {
  path: string;
  currency?: string;
  title?: string;
}) {
  const query = useInfiniteQuery({
    queryKey: ['history', path],
    queryFn: ({ pageParam, signal }) =>
      request<HistoryEntry[]>('GET', `${path}/history`, {
        query: { limit: atOnce, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const entries = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Section title={title} actions={<AddNote path={path} />}>
      <Loaded query={{ ...query, data: entries }} waiting={<Skeleton count={4} />}>
        {(shown) =>
          shown.length === 0 ? (
            <p className="border-t border-line pt-3 text-soft">
              Nothing has changed since the history began.
            </p>
          ) : (
            <ol aria-label="History" className="border-t border-line">
              {shown.map((entry) => (
                <Entry key={entry.id} entry={entry} currency={currency} />
              ))}
            </ol>
          )
        }
      </Loaded>
      {hasNextPage && (
        <Button className="mt-3" onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
          Show earlier
        </Button>
      )}
    </Section>
  );
}

function Entry({ entry, currency }: { entry: HistoryEntry; currency: string | undefined }) {
  const { actor, changes, note, created_at } = entry;
  return (
    <li className="border-b border-line py-2.5">
      <div className="flex items-baseline justify-between gap-4">
        <p className="min-w-0 wrap-anywhere">
          <span className="font-medium">{actorWords(actor)}</span>{' '}
          <span className="text-soft">{whatHappened(entry)}</span>
        </p>
        <span className="text-sm text-soft">
          <Ago at={created_at} />
        </span>
      </div>
      {note && <p className="mt-1 whitespace-pre-line wrap-anywhere">{note}</p>}
      {changes && changes.length > 0 && (
        <ul className="mt-1 flex flex-col gap-0.5 text-sm">
          {changes.map((change) => (
            <ChangedField key={change.field} change={change} currency={currency} />
          ))}
        </ul>
      )}
    </li>
  );
}

function AddNote({ path }: { path: string }) {
  const [isOpen, setOpen] = useState(false);
  if (!useCanWrite()) return null;
  return (
    <>
      <Button icon={<MessageSquarePlus />} onClick={() => setOpen(true)}>
        Add note
      </Button>
      {isOpen && (
        <FormDialog
          title="Add note"
          description="Everybody who sees this account can read it. It cannot be changed afterwards."
          submit="Add note"
          onClose={() => setOpen(false)}
          onSubmit={(values) => saved(create(`${path}/notes`, { note: values.text('note') }), 'Note added')}
        >
          <TextAreaField name="note" label="Note" rows={4} required autoFocus />
        </FormDialog>
      )}
    </>
  );
}
