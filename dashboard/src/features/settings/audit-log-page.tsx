import { useInfiniteQuery } from '@tanstack/react-query';
import { request } from '../../api/client.ts';
import type { AuditEntry } from '../../api/records.ts';
import { useCurrency, useIsOwner } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, formatMoment } from '../../ui/date.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { TableSkeleton } from '../../ui/lists/record-list.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ChangedField } from '../history/changed-field.tsx';
import { actorWords } from '../history/history-words.ts';

const words: Record<AuditEntry['action'], string> = {
  'person.signed_in': 'Signed in',
  'person.sign_in_failed': 'Failed to sign in',
  'person.signed_out': 'Signed out',
  'person.password_changed': 'Changed their password',
  'person.two_factor_enabled': 'Turned on two-factor sign-in',
  'person.two_factor_disabled': 'Turned off two-factor sign-in',
  'person.recovery_codes_renewed': 'Made new recovery codes',
  'person.recovery_code_used': 'Signed in with a recovery code',
  'person.code_refused': 'Entered a wrong code after the right password',
  'person.passkey_added': 'Added a passkey',
  'person.passkey_renamed': 'Renamed a passkey',
  'person.passkey_removed': 'Removed a passkey',
  'person.sso_linked': 'Signed in by single sign-on for the first time',
  'person.sso_unlinked': 'Unlinked somebody from single sign-on',
  'member.joined': 'Joined the team',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed someone from the team',
  'member.left': 'Left the team',
  'invitation.created': 'Invited somebody',
  'invitation.cancelled': 'Withdrew an invitation',
  'key.created': 'Created an API key',
  'key.revoked': 'Revoked an API key',
  'webhook.created': 'Added a webhook',
  'webhook.updated': 'Changed a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.secret_rotated': "Rotated a webhook's secret",
  'account.updated': 'Changed the settings',
  'account.restored': 'Restored a backup',
  'account.closed': 'Closed the account',
  'account.reopened': 'Reopened the account',
  'test.reset': 'Test mode emptied',
  'export.downloaded': 'Downloaded a list',
  'import.applied': 'Imported a file',
  'record.deleted': 'Deleted a record',
  'tenant.erased': 'Erased a tenant',
};

const columnsIn = (currency: string): Column<AuditEntry>[] => [
  {
    name: 'Who',
    phone: 'title',
    className: 'font-medium wrap-anywhere',
    cell: ({ actor }) => actorWords(actor),
  },
  { name: 'What', phone: 'line', cell: ({ action }) => words[action] },
  {
    name: 'About',
    phone: 'line',
    className: 'wrap-anywhere',
    cell: ({ action, subject, changes }) => (
      <>
        {action === 'account.restored' && subject ? formatMoment(subject) : subject}
        {changes && changes.length > 0 && (
          <ul className="text-sm">
            {changes.map((change) => (
              <ChangedField key={change.field} change={change} currency={currency} />
            ))}
          </ul>
        )}
      </>
    ),
  },
  { name: 'From', isExtra: true, className: 'text-soft', cell: ({ ip_address }) => ip_address },
  { name: 'When', phone: 'aside', cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** What was done to the account itself. */
export const AuditLogPage = () =>
  useIsOwner() ? (
    <AuditLog />
  ) : (
    <Page title="Audit log">
      <Empty title="For owners">Here, owners see who signed in, and who changed what in the account.</Empty>
    </Page>
  );

function AuditLog() {
  const columns = columnsIn(useCurrency());
  const query = useInfiniteQuery({
    queryKey: ['audit-log'],
    queryFn: ({ pageParam, signal }) =>
      request<AuditEntry[]>('GET', '/audit-log', { query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const entries = query.data?.pages.flatMap(({ data }) => data);
  return (
    <Page
      title="Audit log"
      isList
      about="Sign-ins, keys, roles, webhooks, exports and settings. Changes to records are in each record's history."
      actions={<ExportLink path="/audit-log" />}
    >
      <Loaded
        query={{ ...query, data: entries }}
        waiting={<TableSkeleton columns={columns as Column<never>[]} rows={8} />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing yet">What happens from now on is noted here.</Empty>
          ) : (
            <Table label="Audit log" rows={rows} columns={columns} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {hasNextPage && (
        <Button className="mt-4" onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
          Show earlier
        </Button>
      )}
    </Page>
  );
}
