import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get, type Query } from '../../api/client.ts';
import type { PaymentTotals } from '../../api/records.ts';
import { formatMoney } from '../../ui/money.tsx';
import { Status } from '../../ui/status.tsx';
import { count, paymentStatus } from '../../ui/words.ts';

/** What the payments shown come to, by status and currency. */
export function PaymentSums({ filters }: { filters: Query }) {
  const { data } = useQuery({
    queryKey: ['payments', 'totals', filters],
    queryFn: ({ signal }) => get<PaymentTotals>('/payments/totals', filters, signal),
    placeholderData: keepPreviousData,
  });
  if (!data) return <div aria-hidden="true" className="skeleton mb-4 h-11 w-72" />;
  if (data.count === 0) return null;
  return (
    <dl aria-label="Totals" className="mb-4 grid grid-cols-2 gap-x-8 gap-y-3 sm:flex sm:flex-wrap">
      {inOrder(data.totals).map((total) => (
        <div key={`${total.status} ${total.currency}`}>
          <dt className="text-sm text-soft">
            <Status of={paymentStatus[total.status]} /> · {count(total.count, 'payment')}
          </dt>
          <dd className="mt-0.5 text-lg font-semibold">{formatMoney(total.amount_cents, total.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

const order = Object.keys(paymentStatus);
const inOrder = (totals: PaymentTotals['totals']) =>
  totals.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
