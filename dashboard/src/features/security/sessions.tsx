import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, remove } from '../../api/client.ts';
import type { OwnSession } from '../../api/records.ts';
import { signOut } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/date.tsx';
import { TableSkeleton } from '../../ui/lists/record-list.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';

/** Where the person is signed in. */
export function Sessions() {
  const [isEndingOthers, setEndingOthers] = useState(false);
  const end = useAction((session: OwnSession) =>
    session.current
      ? signOut('/sign-in')
      : saved(remove(`/sessions/${session.id}`), `Signed out: ${session.device}`),
  );
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) =>
      (await get<{ sessions: OwnSession[] }>('/sessions', undefined, signal)).sessions,
  });
  const columns = columnsFor((session) => end.run(session));
  return (
    <Section
      title="Sessions"
      actions={
        query.data?.some(({ current }) => !current) && (
          <Button kind="danger" onClick={() => setEndingOthers(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      <p className="mb-3 text-soft">
        A session ends after 30 days without use, and after 90 days in any case. If you do not recognise one,
        sign it out and change your password.
      </p>
      <Loaded query={query} waiting={<TableSkeleton columns={columns as Column<never>[]} rows={2} />}>
        {(sessions) => (
          <Table
            label="Sessions"
            rows={sessions}
            columns={columns}
            rowKey={({ id }) => id}
            isSticky={false}
          />
        )}
      </Loaded>
      {isEndingOthers && (
        <Confirm
          title="Sign out everywhere else?"
          action="Sign out"
          onClose={() => setEndingOthers(false)}
          onConfirm={() => saved(remove('/sessions'), 'Signed out everywhere else')}
        >
          Every other browser in which you are signed in has to sign in again.
        </Confirm>
      )}
    </Section>
  );
}

const columnsFor = (onEnd: (session: OwnSession) => void): Column<OwnSession>[] => [
  {
    name: 'Device',
    phone: 'title',
    className: 'font-medium wrap-anywhere',
    cell: ({ device, current }) => (
      <>
        {device}
        {current && <span className="font-normal text-soft"> (this one)</span>}
      </>
    ),
  },
  {
    name: 'Address',
    phone: 'line',
    className: 'text-soft wrap-anywhere',
    cell: ({ ip_address }) => ip_address ?? '–',
  },
  {
    name: 'Signed in',
    phone: 'line',
    cell: ({ created_at }) => (
      <>
        <span className="sm:hidden">Signed in </span>
        <Ago at={created_at} />
      </>
    ),
  },
  {
    name: 'Last used',
    phone: 'line',
    cell: ({ last_used_at, current }) => (
      <>
        <span className="sm:hidden">Last used </span>
        {current ? 'now' : <Ago at={last_used_at} />}
      </>
    ),
  },
  {
    name: 'Actions',
    align: 'right',
    phone: 'aside',
    cell: (session) => (
      <Button
        kind="danger"
        className="sm:-my-1 sm:h-7"
        aria-label={`Sign out of ${session.device}${session.current ? ' (this one)' : ''}`}
        onClick={() => onEnd(session)}
      >
        Sign out
      </Button>
    ),
  },
];
