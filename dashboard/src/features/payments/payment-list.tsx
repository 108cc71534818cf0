import { Plus } from 'lucide-react';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { LeaseFilter, PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { RecordList } from '../../ui/lists/record-list.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { optionsOf, paymentStatus } from '../../ui/words.ts';
import { DateRange } from './date-range.tsx';
import { paymentColumns } from './payment-columns.tsx';
import { PaymentSums } from './payment-sums.tsx';
import { RecordPayment } from './record-payment.tsx';

const filterNames = ['status', 'tenant_id', 'lease_id', 'property_id', 'from', 'to'] as const;

export function PaymentsPage() {
  const canWrite = useCanWrite();
  const { filters, set, clear, isFiltered } = useFilters(filterNames);
  // In the address bar too: the palette opens it from any page, this one included.
  const recording = useFilters(['record']);
  return (
    <Page
      title="Payments"
      actions={
        <>
          <ExportLink path="/payments" filter={filters} />
          {canWrite && (
            <Button kind="main" icon={<Plus />} onClick={() => recording.set({ record: 'new' })}>
              Record payment
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <SelectFilter
          label="Status"
          value={filters.status}
          options={optionsOf(paymentStatus)}
          onChange={(status) => set({ status })}
        />
        <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
        <LeaseFilter value={filters.lease_id} onChange={(lease_id) => set({ lease_id })} />
        <PropertyFilter value={filters.property_id} onChange={(property_id) => set({ property_id })} />
        <DateRange from={filters.from} to={filters.to} onChange={set} />
      </FilterBar>
      <PaymentSums filters={filters} />
      <RecordList
        noun="payments"
        label="Payments"
        filter={filters}
        columns={paymentColumns}
        rowLink={(payment) => `/payments/${payment.id}`}
        empty={
          isFiltered ? (
            <Empty title="No payment fits these filters" />
          ) : (
            <Empty title="No payments yet">
              Record rent as it comes in: choose the tenant, and the amount of their lease is filled in.
            </Empty>
          )
        }
      />
      {canWrite && recording.filters.record && <RecordPayment onClose={recording.clear} />}
    </Page>
  );
}
