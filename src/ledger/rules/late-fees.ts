import { byDueDay, daysOfChange, type Entries, type Owed } from './allocation.ts';
import { addDays } from './calendar.ts';
import { dayByDay } from './day-by-day.ts';
import type { Fee, LateFeePolicy } from './late-fee-policy.ts';

/** A fee that the policies require. */
export interface LateFee {
  late_fee_for: string;
  due_on: string;
  amount_cents: number;
}

interface Fining {
  /** The entries without the fees that policies charged. */
  entries: Entries;
  /** The policy for a rent that falls due on a day; null if there are no fees. */
  policyFor: (dueOn: string) => LateFeePolicy | null;
  /** Fees are charged up to this day. */
  through: string;
  /** Whether a person voided this fee, so that it is not charged again. */
  isWaived: (chargeId: string, day: string) => boolean;
  /** The id of a fee, which orders it among charges due on the same day. */
  idOf: (fee: LateFee) => string;
}

/** A rent that may get a late fee. */
interface Candidate {
  rent: Owed;
  policy: LateFeePolicy;
  /** The last day on which it is not late. */
  graceEnds: string;
  fined_cents: number;
}

/**
 * The late fees of a lease, day by day from the first: a fee is itself a charge, and money that pays it does not pay a
 * later rent, which may then be late in turn. A fee falls on a day if rent was open when the previous day ended.
 */
export function lateFees({ entries, policyFor, through, isWaived, idOf }: Fining): LateFee[] {
  const candidates = entries.owed.flatMap((rent): Candidate[] => {
    const policy = rent.kind === 'rent' ? policyFor(rent.due_on) : null;
    if (policy === null) return [];
    return [{ rent, policy, graceEnds: endOfGrace(policy, rent.due_on), fined_cents: 0 }];
  });
  const beginning = Map.groupBy(candidates, ({ graceEnds }) => graceEnds);
  /** Rents that got a fee on the previous day, and those that wait until their open amount changes. */
  let late: Candidate[] = [];
  const waiting = new Map<Owed, Candidate>();
  const fees: LateFee[] = [];
  const lease = dayByDay(entries);
  const ends = [...new Set([...beginning.keys(), ...daysOfChange(entries)])].sort();
  let index = ends.findIndex((day) => beginning.has(day));
  let ended = ends[index];
  while (ended !== undefined && ended < through) {
    const day = addDays(ended, 1);
    const feesBefore = fees.length;
    for (const owed of lease.goTo(ended)) {
      const candidate = waiting.get(owed);
      if (candidate) late.push(candidate);
      waiting.delete(owed);
    }
    const today = [...late, ...(beginning.get(ended) ?? [])].sort((a, b) => byDueDay(a.rent, b.rent));
    late = [];
    for (const candidate of today) {
      const { rent, policy, graceEnds } = candidate;
      const left = lease.openOf(rent);
      const amount_cents = left === 0 || left < policy.min_open_cents ? 0 : feeOn(candidate, ended, left);
      // A voided fee counts too. Otherwise others would replace it, up to the cap.
      candidate.fined_cents += amount_cents;
      if (amount_cents > 0 && !isWaived(rent.id, day)) {
        if (fees.length === mostFees) return fees;
        const fee = { late_fee_for: rent.id, due_on: day, amount_cents };
        fees.push(fee);
        lease.add({ id: idOf(fee), kind: 'late_fee', due_on: day, amount_cents, period: null });
      }
      if (policy.daily === null) continue;
      // A first fee may round to zero even if a daily one does not.
      if (amount_cents > 0 || ended === graceEnds) late.push(candidate);
      else waiting.set(rent, candidate);
    }
    // A rent with a fee today may get one tomorrow, and its fee takes money from others. Otherwise nothing happens
    // until the end of a day on which something changes.
    while (ends[index] !== undefined && (ends[index] as string) <= ended) index++;
    ended = late.length > 0 || fees.length > feesBefore ? day : ends[index];
  }
  return fees;
}

const endOfGrace = ({ grace_days }: LateFeePolicy, dueOn: string): string => addDays(dueOn, grace_days);

/** Whether a fee for a rent may fall on one of these days. */
export function mayFall(
  policy: LateFeePolicy | null,
  dueOn: string,
  { from, to }: { from: string; to: string },
): boolean {
  if (policy === null) return false;
  const first = addDays(endOfGrace(policy, dueOn), 1);
  return first <= to && (first >= from || policy.daily !== null);
}

/** Only this many fees of a lease: daily fees on rents that are never paid would go on for ever. */
const mostFees = 5_000;

function feeOn({ rent, policy, graceEnds, fined_cents }: Candidate, ended: string, open: number): number {
  const fee = ended === graceEnds ? policy.first : policy.daily;
  if (fee === null) return 0;
  const amount = amountOf(fee, rent.amount_cents, open);
  return policy.cap_cents === null ? amount : Math.min(amount, policy.cap_cents - fined_cents);
}

function amountOf(fee: Fee, rent: number, open: number): number {
  if ('fixed_cents' in fee) return fee.fixed_cents;
  const [percent, of] = 'percent_of_rent' in fee ? [fee.percent_of_rent, rent] : [fee.percent_of_open, open];
  const hundredths = BigInt(Math.round(percent * 100));
  return Number((2n * BigInt(of) * hundredths + 10_000n) / 20_000n);
}
