import { useQuery } from '@tanstack/react-query';
import { first } from '../../api/queries.ts';
import type { Payment } from '../../api/records.ts';
import { formatDay } from '../../ui/date.tsx';
import { TenantName } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { paymentMethod } from '../../ui/words.ts';

/** Nobody pays the same amount twice within this time; but a payment is often entered by two people. */
const nearDays = 7;

/** A payment on the same lease, of the same amount, around the same day. */
export function useDuplicate(leaseId: string | null, amountCents: number, paidOn: string) {
  const filter = {
    lease_id: leaseId ?? undefined,
    status: 'paid,pending',
    from: shifted(paidOn, -nearDays),
    to: shifted(paidOn, nearDays),
  };
  const { data, isFetching } = useQuery({
    ...first('payments', filter, 100),
    placeholderData: undefined,
    enabled: leaseId !== null && paidOn !== '',
  });
  return { other: data?.find(({ amount_cents }) => amount_cents === amountCents) ?? null, isFetching };
}

function shifted(day: string, days: number): string | undefined {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : new Date(time + days * 86_400_000).toISOString().slice(0, 10);
}

/** Shows the other payment. */
export const DuplicateNote = ({ of: other, isAsking }: { of: Payment; isAsking: boolean }) => (
  <div role="alert" className="rounded-md border border-warn px-3 py-2.5">
    <p className="font-medium">Is this the same payment?</p>
    <p className="text-soft">
      {formatMoney(other.amount_cents, other.currency)} from <TenantName of={other.tenant} /> is recorded
      already: paid on {formatDay(other.paid_on)}, {paymentMethod[other.method].toLowerCase()}
      {other.reference && `, ${other.reference}`}.
    </p>
    {isAsking && <p className="mt-1">If it is another one, press the button once more.</p>}
  </div>
);
