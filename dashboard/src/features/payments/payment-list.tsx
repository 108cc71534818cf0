import { useInfiniteQuery } from '@tanstack/react-query';
import { patch } from '../../api/client.ts';
import { list } from '../../api/queries.ts';
import type { Payment } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { BulkButton, type Chosen } from '../../ui/lists/bulk.tsx';
import { SearchFilter, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { type Named, placeName } from '../../ui/lists/names.tsx';
import { LeaseFilter, PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { useSorted } from '../../ui/lists/sort.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { optionsOf, paymentMoves, paymentStatus } from '../../ui/words.ts';
import { DateRange } from './date-range.tsx';
import { columnsFor, paymentColumns } from './payment-columns.tsx';
import { PaymentSums } from './payment-sums.tsx';
import { RecordPayment } from './record-payment.tsx';

const filterNames = ['q', 'status', 'tenant_id', 'lease_id', 'property_id', 'from', 'to'] as const;

const nameOf = (payment: Payment) =>
  `${payment.tenant?.name ?? 'Payment'}, ${formatMoney(payment.amount_cents, payment.currency)}`;

/** For a payment that came in, failed, or was a mistake. Returning one needs a date, so that is on its page. */
const moves = [
  ['paid', 'Mark as paid', 'marked as paid'],
  ['failed', 'Mark as failed', 'marked as failed'],
] as const;

const PaymentActions = ({ chosen }: { chosen: Chosen<Payment> }) =>
  moves.map(([status, label, done]) => (
    <BulkButton
      key={status}
      label={label}
      doing="Marking"
      done={done}
      chosen={chosen}
      nameOf={nameOf}
      fits={(payment) => paymentMoves[payment.status].includes(status)}
      work={({ id }) => patch(`/payments/${id}`, { status })}
    />
  ));

export function PaymentsPage() {
  const canWrite = useCanWrite();
  const { filters, set, control, clear, isFiltered } = useFilters(filterNames);
  // In the address, so that the palette can open it from any page, including this one.
  const recording = useFilters(['record']);
  const { data, isPending } = useInfiniteQuery(list('payments', useSorted(filters)));
  const payments = data?.pages.flatMap((page) => page.data) ?? [];
  const [row] = payments;
  const lease = row?.lease_id ? { id: row.lease_id, name: placeName(row) } : null;
  const called = (record: Named | null | undefined, wanted: string | undefined) =>
    isPending ? null : record?.id === wanted ? record?.name : undefined;
  return (
    <ListPage
      title="Payments"
      noun="payments"
      filter={filters}
      columns={columnsFor(payments, paymentColumns)}
      isFiltered={isFiltered}
      actions={canWrite ? (chosen) => <PaymentActions chosen={chosen} /> : undefined}
      add="Record payment"
      onAdd={() => recording.set({ record: 'new' })}
      onClear={isFiltered ? clear : undefined}
      filters={
        <>
          <SearchFilter label="Search" {...control('q')} />
          <SelectFilter label="Status" options={optionsOf(paymentStatus)} {...control('status')} />
          <TenantFilter {...control('tenant_id')} listedAs={called(row?.tenant, filters.tenant_id)} />
          <LeaseFilter {...control('lease_id')} listedAs={called(lease, filters.lease_id)} />
          <PropertyFilter {...control('property_id')} listedAs={called(row?.property, filters.property_id)} />
          <DateRange from={filters.from} to={filters.to} onChange={set} />
        </>
      }
      empty={{
        title: 'No payments yet',
        text: 'Record rent as it comes in. Choose a tenant, and what they owe is filled in.',
      }}
    >
      <PaymentSums filters={filters} />
      {canWrite && recording.filters.record && <RecordPayment onClose={recording.clear} />}
    </ListPage>
  );
}
