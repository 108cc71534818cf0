import type { Balance, Charge } from '../../api/records.ts';
import { formatDay, today } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { beforeLedger, chargeName } from '../ledger/charge-words.ts';
import { paidByThis, whatIsOwed, whenItCounts } from './paid-by-this.ts';

/** A payment that is about to be recorded, and what its lease owes. */
export interface Planned {
  balance: Balance;
  charges: Charge[];
  /** 0 until one is typed. */
  amountCents: number;
  chosen: string | null;
  /** Empty means today. */
  paidOn: string;
  isPending: boolean;
  /** What was paid for late fees that fell after it. */
  paidFeesCents: number;
  /** Unknown until the lease is there. */
  ledgerFrom: string | undefined;
}

/** What it pays, and from when. */
export function effectOf({
  balance,
  charges,
  amountCents,
  chosen,
  isPending,
  ledgerFrom,
  ...planned
}: Planned) {
  const paidOn = planned.paidOn || today();
  const counts = whenItCounts(paidOn, today(), ledgerFrom);
  const paying = isPending || counts === 'never' ? 0 : amountCents;
  const upcoming = charges.filter(({ status }) => status === 'upcoming');
  return {
    paidOn,
    counts,
    paying,
    upcoming,
    /** The chosen charge, if it is not due yet. */
    later: upcoming.find(({ id }) => id === chosen),
    ...paidByThis(whatIsOwed(balance, charges), paying, chosen, paidOn),
  };
}

/** What is still owed after it. */
export function PaymentOutcome(planned: Planned) {
  const { balance, isPending, ledgerFrom } = planned;
  const { paidOn, counts, upcoming, later, again, left_cents, credit_cents } = effectOf(planned);
  const money = (cents: number) => formatMoney(cents, balance.currency);
  return (
    <p role="status">
      {counts === 'never' ? (
        <>
          {formatDay(paidOn)} is {beforeLedger(ledgerFrom)}: it pays nothing and is shown as not counted.
          {/* Otherwise past rent would be charged as well. */}
          {ledgerFrom !== undefined && ledgerFrom <= balance.lease.start_date && (
            <>
              {' '}
              For money paid in advance, let the ledger begin earlier:{' '}
              <TextLink to={`/leases/${balance.lease_id}/edit`}>edit the lease</TextLink>.
            </>
          )}
        </>
      ) : isPending ? (
        'A pending payment pays nothing until it is marked as paid.'
      ) : (
        <>
          {counts === 'later' ? (
            <>
              <strong className="font-semibold">Counts from {formatDay(paidOn)}</strong>
              {balance.owed_cents > 0 && `; until then ${money(balance.owed_cents)} stays owed`}.
            </>
          ) : (
            <>
              <strong className="font-semibold">
                {left_cents > 0 ? `${money(left_cents)} still owed` : 'Nothing owed'}
              </strong>{' '}
              after this payment{again.length > 0 && `, apart from late fees after ${formatDay(paidOn)}`}.
            </>
          )}
          {credit_cents > 0 &&
            ` ${money(credit_cents)} ${again.length > 0 ? 'pays those that stay, or ' : ''}stays in credit${nextWords(balance, later ?? upcoming[0])}.`}
        </>
      )}
    </p>
  );
}

/** What the credit is for. */
function nextWords({ lease }: Balance, next: Charge | undefined): string {
  if (next) return ` for ${chargeName(next)}, due ${formatDay(next.due_on)}`;
  return lease.status === 'ended' ? ', and nothing more falls due' : ' for what falls due next';
}
