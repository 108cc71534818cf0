import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { Webhook } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/date.tsx';
import { statusColumn } from '../../ui/lists/columns.tsx';
import { TableSkeleton } from '../../ui/lists/record-list.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { count, webhookStatus } from '../../ui/words.ts';
import { webhooks } from './webhook-queries.ts';

const columns: Column<Webhook>[] = [
  {
    name: 'Endpoint',
    phone: 'title',
    className: 'max-w-md wrap-anywhere',
    cell: (webhook) => webhook.url,
  },
  {
    name: 'Description',
    isExtra: true,
    phone: 'line',
    className: 'text-soft max-w-64 wrap-anywhere',
    cell: (webhook) =>
      webhook.description ?? (webhook.source === 'automation' ? 'Created by an automation' : ''),
  },
  { name: 'Events', align: 'right', cell: ({ events }) => (events.includes('*') ? 'All' : events.length) },
  statusColumn('Status', (webhook) => webhookStatus[webhook.status]),
  { name: 'Health', phone: 'line', className: 'text-soft', cell: (webhook) => <Health of={webhook} /> },
];

/** The endpoint's recent deliveries in a few words. */
function Health({ of: webhook }: { of: Webhook }) {
  if (webhook.failure_count > 0) {
    return (
      <span className="text-bad">
        {count(webhook.failure_count, 'failed attempt')} since the last success
      </span>
    );
  }
  if (webhook.last_success_at === null) return <>Nothing sent yet</>;
  return (
    <>
      Last success <Ago at={webhook.last_success_at} />
    </>
  );
}

export function WebhooksPage() {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const query = useQuery({ ...webhooks, refetchInterval: 15_000 });
  return (
    <Page
      title="Webhooks"
      isList
      about="Send every change to your own systems as it happens. Deliveries are signed and retried."
      actions={
        canWrite && (
          <Button kind="main" icon={<Plus />} onClick={() => navigate({ to: '/settings/webhooks/new' })}>
            Add endpoint
          </Button>
        )
      }
    >
      <Loaded query={query} waiting={<TableSkeleton columns={columns as Column<never>[]} rows={4} />}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No endpoints yet">
              An endpoint is a URL of yours that receives events. Add one, choose its events, and send a test
              event to see it work.
            </Empty>
          ) : (
            <Table
              label="Webhook endpoints"
              rows={rows}
              columns={columns}
              rowKey={(row) => row.id}
              rowLink={(row) => `/settings/webhooks/${row.id}`}
            />
          )
        }
      </Loaded>
    </Page>
  );
}
