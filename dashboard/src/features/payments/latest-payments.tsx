import { useQuery } from '@tanstack/react-query';
import { first } from '../../api/queries.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { Panel } from '../../ui/panel.tsx';
import { panelColumns, tenantPanelColumns } from './payment-columns.tsx';

const shown = 8;

/** The latest payments of a property, a tenant or a lease, and the way to all of them. */
export function LatestPayments({
  filter,
  isOfTenant = false,
}: {
  filter: { property_id?: string; tenant_id?: string; lease_id?: string };
  isOfTenant?: boolean;
}) {
  const query = useQuery(first('payments', filter, shown));
  return (
    <Panel
      title="Latest payments"
      query={query}
      columns={isOfTenant ? tenantPanelColumns : panelColumns}
      rowLink={(payment) => `/payments/${payment.id}`}
      empty="No payments yet."
      more={
        (query.data?.length ?? 0) >= shown && (
          <TextLink to="/payments" search={filter}>
            Show all
          </TextLink>
        )
      }
    />
  );
}
