import { useQuery } from '@tanstack/react-query';
import { first } from '../../api/queries.ts';
import type { Payment, Tenant } from '../../api/records.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { Panel } from '../../ui/records/panel.tsx';
import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { columnsFor, panelColumns, sharedPanelColumns, tenantPanelColumns } from './payment-columns.tsx';

const shown = 8;

/** The latest payments of a property or a lease. */
export const LatestPayments = ({ filter }: { filter: Record<string, string> }) => (
  <RecordPanel
    noun="payments"
    filter={filter}
    shown={shown}
    title="Latest payments"
    empty="No payments yet."
    columns={panelColumns}
  />
);

/** A tenant's latest payments, and those of others on their lease: whoever pays, everybody's rent is paid. */
export function TenantPayments({ tenant }: { tenant: Tenant }) {
  const { id, lease } = tenant;
  const own = useQuery(first('payments', { tenant_id: id }, shown));
  const shared = useQuery({ ...first('payments', { lease_id: lease?.id }, shown), enabled: lease !== null });
  const isComplete = own.data && (lease === null || shared.data);
  const payments = isComplete ? latest([...(own.data ?? []), ...(shared.data ?? [])]) : undefined;
  const isShared = payments?.some(({ tenant_id }) => tenant_id !== id) ?? false;
  const failed = own.error ? own : shared;
  return (
    <Panel
      title="Latest payments"
      query={{ data: payments, error: failed.error, refetch: failed.refetch }}
      columns={columnsFor(payments ?? [], isShared ? sharedPanelColumns : tenantPanelColumns)}
      rowLink={(row) => `/payments/${row.id}`}
      empty="No payments yet."
      more={
        (payments?.length ?? 0) >= shown && (
          <TextLink to="/payments" search={isShared && lease ? { lease_id: lease.id } : { tenant_id: id }}>
            Show all
          </TextLink>
        )
      }
    />
  );
}

/** Ids have the order in which payments were recorded. */
const latest = (payments: Payment[]): Payment[] =>
  [...new Map(payments.map((payment) => [payment.id, payment])).values()]
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, shown);
