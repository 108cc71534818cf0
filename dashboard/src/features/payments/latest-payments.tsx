import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { panelColumns, tenantPanelColumns } from './payment-columns.tsx';

/** The latest payments of a property, a tenant or a lease. */
export const LatestPayments = ({ filter }: { filter: Record<string, string> }) => (
  <RecordPanel
    noun="payments"
    filter={filter}
    shown={8}
    title="Latest payments"
    empty="No payments yet."
    columns={filter.tenant_id ? tenantPanelColumns : panelColumns}
  />
);
