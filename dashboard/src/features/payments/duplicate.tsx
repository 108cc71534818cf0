import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { first, queryClient, whole } from '../../api/queries.ts';
import type { Payment } from '../../api/records.ts';
import { formatDay, formatMonth, lastDayOf } from '../../ui/date.tsx';
import { TenantName, TextLink } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { paymentMethod } from '../../ui/words.ts';

/** Nobody pays the same amount twice within this time, but two people often enter the same payment. */
const nearDays = 7;

interface About {
  tenantId: string | null;
  leaseId: string | null;
  /** The whole, then the payments that it is recorded as: either may be what somebody else has recorded. */
  amounts: [number, ...number[]];
  paidOn: string;
  /** One month's rent, if nothing is owed any longer: a second one in the same month is then suspicious too. */
  paidRentCents: number | null;
}

interface Duplicate {
  other: Payment;
  /** The month that is already paid in full, if that is what the two have in common. */
  month: string | null;
}

/**
 * Finds a payment on the same lease with the same amount around the same day, or a month's rent in a month that is
 * paid.
 */
export function useDuplicate({ tenantId, leaseId, amounts, paidOn, paidRentCents }: About) {
  const [amountCents] = amounts;
  const month = paidOn.slice(0, 7);
  const near = daysAround(paidOn);
  const filter = {
    ...(leaseId === null ? { tenant_id: tenantId ?? undefined } : { lease_id: leaseId }),
    status: 'paid,pending',
    from: [`${month}-01`, near.from].sort()[0],
    to: [lastDayOf(month), near.to].sort()[1],
  };
  const isComparable = tenantId !== null && near.from !== '';
  const { queryKey, queryFn } = first('payments', filter, 100);
  const { data } = useQuery({ queryKey, queryFn, enabled: isComparable });
  const findIn = (payments: Payment[] | undefined): Duplicate | null => {
    const same = payments?.find((payment) => isNear(payment, amounts, near));
    const rent =
      paidRentCents && amountCents >= paidRentCents
        ? payments?.find(
            ({ amount_cents, paid_on }) => amount_cents >= paidRentCents && paid_on.slice(0, 7) === month,
          )
        : undefined;
    const other = same ?? rent;
    return other ? { other, month: same ? null : month } : null;
  };
  return {
    found: findIn(data),
    /** The same once the answer has arrived. Without one, a payment can still be recorded. */
    find: async () =>
      isComparable
        ? findIn(await queryClient.fetchQuery({ queryKey, queryFn }).catch(() => undefined))
        : null,
  };
}

interface Days {
  from: string;
  to: string;
}

const daysAround = (day: string): Days => ({ from: shifted(day, -nearDays), to: shifted(day, nearDays) });

const isNear = ({ amount_cents, paid_on }: Payment, amounts: number[], { from, to }: Days): boolean =>
  amounts.includes(amount_cents) && paid_on >= from && paid_on <= to;

/**
 * Of payments that are about to be recorded, those that probably are already, and as what. Without an answer, they can
 * still be recorded.
 */
export async function findDuplicates<One extends { leaseId: string; amounts: number[] }>(
  wanted: One[],
  paidOn: string,
): Promise<[One, Payment][]> {
  const near = daysAround(paidOn);
  if (near.from === '') return [];
  // One list of those days, because a request for each of a thousand leases would take longer.
  const payments = await queryClient
    .fetchQuery({ ...whole('payments', { status: 'paid,pending', ...near }), staleTime: 0 })
    .catch(() => []);
  const byLease = Map.groupBy(payments, ({ lease_id }) => lease_id);
  return wanted.flatMap((one): [One, Payment][] => {
    const other = byLease.get(one.leaseId)?.find((payment) => isNear(payment, one.amounts, near));
    return other ? [[one, other]] : [];
  });
}

/** Empty if it is not a day yet. */
function shifted(day: string, days: number): string {
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? '' : new Date(time + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * Whether what was just submitted was submitted by Enter in a field, and not with the button. Somebody who types fast
 * presses Enter twice, and would confirm what they were asked without having read it.
 */
export const isFromField = (): boolean => document.activeElement instanceof HTMLInputElement;

/** Something to be read before going on. Each time it is asked, it comes into view and has the focus. */
export function Warning({ asks, children }: { asks: number; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (asks > 0) ref.current?.focus();
  }, [asks]);
  return (
    <div ref={ref} role="alert" tabIndex={-1} className="rounded-md border border-warn px-3 py-2.5">
      {children}
    </div>
  );
}

/** What a recorded payment is: "paid on Nov 18, 2026", or a link to "a pending payment of Nov 18, 2026". */
export const AlreadyThere = ({ payment: { id, status, paid_on } }: { payment: Payment }) =>
  status === 'pending' ? (
    <TextLink to={`/payments/${id}`}>a pending payment of {formatDay(paid_on)}</TextLink>
  ) : (
    `paid on ${formatDay(paid_on)}`
  );

/** Shows the other payment. */
export const DuplicateNote = ({
  of: { other, month },
  asks,
  action,
}: {
  of: Duplicate;
  /** How often it was asked about; 0 while it is only shown. */
  asks: number;
  action: string;
}) => {
  const isPending = other.status === 'pending';
  return (
    <Warning asks={asks}>
      <p className="font-medium">
        {month && !isPending ? `Rent for ${formatMonth(month)} is already paid` : 'Is this the same payment?'}
      </p>
      <p className="text-soft">
        {formatMoney(other.amount_cents, other.currency)} from <TenantName of={other.tenant} /> is already
        recorded: <AlreadyThere payment={other} />, {paymentMethod[other.method].toLowerCase()}
        {other.reference && `, ${other.reference}`}.{month && ' Nothing else is owed.'}
        {isPending && ' If that one has arrived, mark it as paid instead.'}
      </p>
      {asks > 0 && (
        <p className="mt-1">
          {month ? 'If they pay in advance' : 'If this is another payment'}, choose “{action}”.
        </p>
      )}
    </Warning>
  );
};
