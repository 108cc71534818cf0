import { useCanWrite } from '../../api/session.ts';
import { SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { LeaseFilter, PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { optionsOf, paymentStatus } from '../../ui/words.ts';
import { DateRange } from './date-range.tsx';
import { paymentColumns } from './payment-columns.tsx';
import { PaymentSums } from './payment-sums.tsx';
import { RecordPayment } from './record-payment.tsx';

const filterNames = ['status', 'tenant_id', 'lease_id', 'property_id', 'from', 'to'] as const;

export function PaymentsPage() {
  const { filters, set, control, clear, isFiltered } = useFilters(filterNames);
  // In the address, so that the palette can open it from any page, including this one.
  const recording = useFilters(['record']);
  return (
    <ListPage
      title="Payments"
      noun="payments"
      filter={filters}
      columns={paymentColumns}
      isFiltered={isFiltered}
      add="Record payment"
      onAdd={() => recording.set({ record: 'new' })}
      onClear={isFiltered ? clear : undefined}
      filters={
        <>
          <SelectFilter label="Status" options={optionsOf(paymentStatus)} {...control('status')} />
          <TenantFilter {...control('tenant_id')} />
          <LeaseFilter {...control('lease_id')} />
          <PropertyFilter {...control('property_id')} />
          <DateRange from={filters.from} to={filters.to} onChange={set} />
        </>
      }
      empty={{
        title: 'No payments yet',
        text: 'Record rent as it comes in. Choose a tenant, and what they owe is filled in.',
      }}
    >
      <PaymentSums filters={filters} />
      {useCanWrite() && recording.filters.record && <RecordPayment onClose={recording.clear} />}
    </ListPage>
  );
}
