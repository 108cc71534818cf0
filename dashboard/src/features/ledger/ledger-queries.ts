import { whole } from '../../api/queries.ts';
import type { Charge, Ledger, LedgerEntry } from '../../api/records.ts';
import { today } from '../../ui/date.tsx';
import { addDays } from './late-fee-example.ts';

/** What the leases of a tenant owe, ended ones included. */
export const balancesOf = (tenantId: string | null | undefined) => ({
  ...whole('balances', { tenant_id: tenantId ?? undefined }),
  enabled: !!tenantId,
});

/** What is open of a lease, and what falls due next, in the order in which payments pay it. */
export const openChargesOf = (leaseId: string | null | undefined) => ({
  ...whole('charges', { lease_id: leaseId ?? undefined, status: 'open,partial,upcoming' }),
  enabled: !!leaseId,
  select: (charges: Charge[]) => charges.toSorted(byTurn),
});

/** What was paid for late fees that fell after a day, if that day is past. */
export const paidLateFeesAfter = (leaseId: string | null | undefined, day: string) => ({
  ...whole('charges', {
    lease_id: leaseId ?? undefined,
    kind: 'late_fee',
    status: 'paid',
    from: day && addDays(day, 1),
  }),
  enabled: !!leaseId && day !== '' && day < today(),
  select: (fees: Charge[]) => fees.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
});

/** Deposits come after everything else that is due, and what is not due yet comes last. */
const byTurn = (a: Charge, b: Charge): number =>
  rank(a) - rank(b) || compare(a.due_on, b.due_on) || compare(a.id, b.id);
const rank = ({ status, kind }: Charge): number =>
  (status === 'upcoming' ? 2 : 0) + (kind === 'deposit' ? 1 : 0);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Whether an entry falls due. */
export const isCharge = (type: LedgerEntry['type']): boolean =>
  type === 'charge' || type === 'opening_balance';

/** Whether there is nothing left that a credit of the lease could pay. */
export const nothingMoreFallsDue = ({ lease, upcoming }: Ledger): boolean =>
  lease.status === 'ended' && !upcoming.some(({ type }) => isCharge(type));

/** Whether the id of an entry is that of a payment. */
export const isOfPayment = (type: LedgerEntry['type']): boolean => type === 'payment' || type === 'return';
