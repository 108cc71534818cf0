import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get, type Query } from '../../api/client.ts';
import type { PaymentTotals } from '../../api/records.ts';
import { Sums } from '../../ui/lists/sums.tsx';
import { Status } from '../../ui/status.tsx';
import { count, paymentStatus } from '../../ui/words.ts';

/** The totals of the listed payments, by status and currency. */
export function PaymentSums({ filters }: { filters: Query }) {
  const { data } = useQuery({
    queryKey: ['payments', 'totals', filters],
    queryFn: ({ signal }) => get<PaymentTotals>('/payments/totals', filters, signal),
    placeholderData: keepPreviousData,
  });
  if (!data) return <div aria-hidden="true" className="skeleton mb-2 h-5 w-72 sm:mb-4 sm:h-11" />;
  if (data.count === 0) return null;
  return (
    <Sums
      of={inOrder(data.totals).map(({ status, currency, count: payments, amount_cents }) => ({
        key: `${status} ${currency}`,
        name: (
          <span className="flex items-center gap-2">
            <Status of={paymentStatus[status]} /> {count(payments, 'payment')}
          </span>
        ),
        cents: amount_cents,
        currency,
      }))}
    />
  );
}

const order = Object.keys(paymentStatus);
const inOrder = (totals: PaymentTotals['totals']) =>
  totals.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
