/*
 * Who paid what, derived from the entries of one lease by one rule. It is never stored as truth, so an entry that is
 * entered late but dated early corrects everything by itself.
 */

/** Something owed: a charge, or the opening balance. */
export interface Owed {
  id: string;
  kind: string;
  due_on: string;
  amount_cents: number;
  /** The month that a rent is for. */
  period: string | null;
}

/** Something paid: a payment, a credit, or an opening balance in the tenant's favour. */
export interface Paid {
  id: string;
  date: string;
  /** The day from which it no longer counts; null if it always counts. */
  reversed_on: string | null;
  amount_cents: number;
  /** The charge that it pays first. */
  charge_id: string | null;
  period: string | null;
}

export interface Share {
  paid: Paid;
  owed: Owed;
  amount_cents: number;
}

export interface Allocation {
  shares: Share[];
  /** What is open of each charge that takes part, zero included. */
  open: Map<Owed, number>;
  /** What is left of each payment or credit, as unapplied credit. */
  left: Map<Paid, number>;
}

export interface Entries {
  owed: readonly Owed[];
  paid: readonly Paid[];
}

/** The entries of a lease in the order in which the rule takes them. */
export interface Ordered extends Entries {
  /** The first payments, in order: to charges that are named, and then to the rents of months that are named. */
  targets: [Paid, Owed][];
}

export function inOrder(entries: Entries): Ordered {
  const owed = entries.owed.toSorted((a, b) => Number(isDeposit(a)) - Number(isDeposit(b)) || byDueDay(a, b));
  const paid = entries.paid.toSorted(byDate);
  const byId = new Map(owed.map((each) => [each.id, each]));
  const byMonth = rentsByMonth(owed);
  const named: [Paid, Owed][] = [];
  const ofMonths: [Paid, Owed][] = [];
  for (const each of paid) {
    const charge = each.charge_id === null ? undefined : byId.get(each.charge_id);
    if (charge) named.push([each, charge]);
    const rent = each.period === null ? undefined : byMonth.get(each.period);
    if (rent) ofMonths.push([each, rent]);
  }
  return { owed, paid, targets: [...named, ...ofMonths] };
}

/** Deposits are paid after everything else. */
export const isDeposit = ({ kind }: Owed): boolean => kind === 'deposit';

export const byDueDay = (a: Owed, b: Owed): number =>
  compare(a.due_on, b.due_on) ||
  Number(b.kind === 'opening') - Number(a.kind === 'opening') ||
  compare(a.id, b.id);

export const byDate = (a: Paid, b: Paid): number => compare(a.date, b.date) || compare(a.id, b.id);

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const rentsByMonth = (owed: readonly Owed[]): Map<string | null, Owed> =>
  new Map(owed.filter(({ kind }) => kind === 'rent').map((rent) => [rent.period, rent]));

/** Only charges that are due and entries dated up to the day take part. The entries are in order. */
export function allocate({ owed, paid, targets }: Ordered, day: string): Allocation {
  const open = new Map<Owed, number>();
  for (const each of owed) if (each.due_on <= day) open.set(each, each.amount_cents);
  const left = new Map<Paid, number>();
  for (const each of paid) if (countsOn(each, day)) left.set(each, each.amount_cents);
  const shares: Share[] = [];
  const pay = (from: Paid, to: Owed) => {
    const amount_cents = Math.min(left.get(from) ?? 0, open.get(to) ?? 0);
    if (amount_cents === 0) return;
    left.set(from, (left.get(from) ?? 0) - amount_cents);
    open.set(to, (open.get(to) ?? 0) - amount_cents);
    shares.push({ paid: from, owed: to, amount_cents });
  };
  for (const [from, to] of targets) pay(from, to);
  const charges = [...open.keys()];
  let oldest = 0;
  for (const from of left.keys()) {
    while (oldest < charges.length && (left.get(from) ?? 0) > 0) {
      const to = charges[oldest] as Owed;
      pay(from, to);
      if (open.get(to) === 0) oldest++;
    }
  }
  return { shares, open, left };
}

export const countsOn = ({ date, reversed_on }: Paid, day: string): boolean =>
  date <= day && (reversed_on === null || reversed_on > day);

/** The days on which the allocation may change, in order. In between it stays the same. */
export function daysOfChange({ owed, paid }: Entries): string[] {
  const days = new Set<string>();
  for (const { due_on } of owed) days.add(due_on);
  for (const { date, reversed_on } of paid) {
    days.add(date);
    if (reversed_on !== null) days.add(reversed_on);
  }
  return [...days].sort();
}
