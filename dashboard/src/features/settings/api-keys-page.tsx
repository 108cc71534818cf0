import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { get, isTestMode, remove } from '../../api/client.ts';
import type { ApiKey } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { saved } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Ago, formatMoment } from '../../ui/date.tsx';
import { useFilters } from '../../ui/lists/filters.tsx';
import { linkClass } from '../../ui/lists/names.tsx';
import { TableSkeleton } from '../../ui/lists/record-list.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import type { Label } from '../../ui/words.ts';
import { CreateKey } from './create-key.tsx';
import { scopeWords } from './key-limits.tsx';

const keyStatus: Record<ApiKey['status'], Label> = {
  active: { word: 'Active', tone: 'good' },
  expired: { word: 'Expired', tone: 'off' },
  revoked: { word: 'Revoked', tone: 'off' },
};

const columnsFor = (canWrite: boolean, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] => [
  { name: 'Name', phone: 'title', className: 'font-medium wrap-anywhere', cell: (key) => key.name },
  {
    name: 'Key',
    phone: 'line',
    cell: (key) => <code className="font-mono text-sm whitespace-nowrap">{key.prefix}…</code>,
  },
  {
    name: 'Permission',
    phone: 'line',
    cell: (key) => (key.permission === 'write' ? 'Read and write' : 'Read only'),
  },
  {
    name: 'Limits',
    isExtra: true,
    className: 'text-soft wrap-anywhere',
    cell: (key) => [scopeWords(key.scopes), ...(key.allowed_addresses ?? [])].join(', '),
  },
  { name: 'Created by', isExtra: true, cell: (key) => key.created_by?.name ?? '–' },
  { name: 'Last used', cell: (key) => <Ago at={key.last_used_at} /> },
  {
    name: 'Expires',
    isExtra: true,
    cell: (key) => (key.expires_at ? formatMoment(key.expires_at) : 'Never'),
  },
  { name: 'Status', phone: 'aside', cell: (key) => <Status of={keyStatus[key.status]} /> },
  ...(canWrite
    ? [
        {
          name: 'Actions',
          align: 'right',
          phone: 'aside',
          cell: (key: ApiKey) =>
            key.status === 'active' && (
              <Button kind="danger" className="sm:-my-1 sm:h-7" onClick={() => onRevoke(key)}>
                Revoke
              </Button>
            ),
        } satisfies Column<ApiKey>,
      ]
    : []),
];

export function ApiKeysPage() {
  const canWrite = useCanWrite();
  // In the address, so that the palette can open it from any page, including this one.
  const creating = useFilters(['create']);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const query = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<ApiKey[]>('/api-keys', undefined, signal),
  });
  const columns = columnsFor(canWrite, setRevoking);
  return (
    <Page
      title="API keys"
      isList
      about={
        <>
          Programs use them to read or change this account's records
          {isTestMode() && ' in test mode. They begin with svc_test_'}. See the{' '}
          <a href="/docs" target="_blank" rel="noopener" className={linkClass}>
            API reference
          </a>
          .
        </>
      }
      actions={
        canWrite && (
          <Button kind="main" icon={<Plus />} onClick={() => creating.set({ create: 'new' })}>
            Create API key
          </Button>
        )
      }
    >
      <Loaded query={query} waiting={<TableSkeleton columns={columns as Column<never>[]} rows={4} />}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty title="No API keys yet">
              Create one for each program, so that you can revoke it on its own. A key is shown only once.
            </Empty>
          ) : (
            <Table label="API keys" rows={keys} columns={columns} rowKey={(key) => key.id} />
          )
        }
      </Loaded>
      {canWrite && creating.filters.create && <CreateKey onClose={creating.clear} />}
      {revoking && (
        <Confirm
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          onClose={() => setRevoking(null)}
          onConfirm={() => saved(remove(`/api-keys/${revoking.id}`), 'API key revoked')}
        >
          Programs that use the key {revoking.prefix}… stop working within a second. This cannot be undone.
        </Confirm>
      )}
    </Page>
  );
}
