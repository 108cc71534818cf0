/*
 * Calculates what is owed once more: slowly, from the facts of one lease, and without any of the program's own code.
 * The tests compare the API with it. Days are written YYYY-MM-DD, so they compare as text. Amounts are whole minor
 * units.
 */

type Fee = { fixed_cents: number } | { percent_of_rent: number } | { percent_of_open: number };

export interface Policy {
  grace_days: number;
  first: Fee;
  daily: Fee | null;
  cap_cents: number | null;
  min_open_cents: number;
}

/** What the late fees of a level were set to and on which day, oldest first. */
export type Settings = { on: string; value: 'inherit' | 'none' | Policy }[];

export interface Lease {
  id: string;
  unit_id: string;
  start_date: string;
  /** The last day as agreed. */
  end_date: string | null;
  /** The first day that is free again. It overrides end_date. */
  ended_on: string | null;
  rent_cents: number;
  rent_changes: { from: string; rent_cents: number }[];
  proration: 'actual_days' | 'thirty_days' | 'none';
  due_day: number;
  deposit_cents: number | null;
  currency: string;
  ledger_from: string;
  opening_balance_cents: number;
}

export interface Charge {
  id: string;
  kind: string;
  amount_cents: number;
  due_on: string;
  period: string | null;
  recurring_charge_id?: string | null;
  late_fee_for?: string | null;
}

export interface Recurring {
  id: string;
  kind: string;
  amount_cents: number;
  every: 'week' | 'two_weeks' | 'month' | 'quarter' | 'year';
  starts_on: string;
  ends_on: string | null;
  amount_changes: { from: string; amount_cents: number }[];
}

export interface Payment {
  id: string;
  amount_cents: number;
  currency: string;
  paid_on: string;
  status: 'pending' | 'paid' | 'failed' | 'returned' | 'refunded' | 'voided';
  reversed_on: string | null;
  period: string | null;
  charge_id: string | null;
}

export interface Credit {
  id: string;
  amount_cents: number;
  credited_on: string;
  reason: string;
  charge_id: string | null;
}

/** Everything that counts for one lease. What was voided is left out, since it counts as if it never existed. */
export interface Ledger {
  lease: Lease;
  charges: Charge[];
  payments: Payment[];
  credits: Credit[];
  refunds: { id: string; amount_cents: number; refunded_on: string }[];
}

export const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
export const daysFrom = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;
const monthOf = (day: string): string => day.slice(0, 7);
const daysOf = (month: string): number =>
  new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate();
const earlier = (a: string, b: string): string => (a < b ? a : b);
const later = (a: string, b: string): string => (a > b ? a : b);
/** A share of an amount, rounded half up. */
const share = (cents: number, part: number, whole: number): number =>
  Number((2n * BigInt(cents) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)));
const sum = (amounts: Iterable<number>): number => [...amounts].reduce((all, one) => all + one, 0);

/** The same day this many months later, or the last day of a shorter month. */
export function plusMonths(day: string, months: number): string {
  const first = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 + months, 1));
  const month = monthOf(first.toISOString());
  return `${month}-${String(Math.min(Number(day.slice(8)), daysOf(month))).padStart(2, '0')}`;
}

export const untilOf = ({ end_date, ended_on }: Lease): string | null =>
  ended_on ?? (end_date === null ? null : plus(end_date, 1));

/** Rent and deposit that fall due up to a day. Each id says what the charge is. */
export function scheduledCharges(lease: Lease, through: string): Charge[] {
  const { start_date: start, ledger_from, deposit_cents, due_day } = lease;
  const until = untilOf(lease);
  if (until !== null && until <= start) return [];
  const last = until === null ? null : plus(until, -1);
  const charges: Charge[] = [];
  if (deposit_cents)
    charges.push({
      id: 'deposit',
      kind: 'deposit',
      amount_cents: deposit_cents,
      due_on: start,
      period: null,
    });
  for (let first = `${monthOf(start)}-01`; first <= (last ?? through); first = plusMonths(first, 1)) {
    const period = monthOf(first);
    const monthEnd = plus(plusMonths(first, 1), -1);
    const from = later(first, start);
    const to = earlier(monthEnd, last ?? monthEnd);
    const dueDay = `${period}-${String(due_day).padStart(2, '0')}`;
    const due_on = earlier(later(dueDay, from), to);
    if (due_on > through) break;
    const rent = lease.rent_changes.findLast((change) => change.from <= from)?.rent_cents ?? lease.rent_cents;
    const days = daysFrom(from, to) + 1;
    const isWhole = days === daysOf(period) || lease.proration === 'none';
    const amount_cents = isWhole
      ? rent
      : lease.proration === 'actual_days'
        ? share(rent, days, daysOf(period))
        : share(rent, Math.min(days, 30), 30);
    charges.push({ id: `rent ${period}`, kind: 'rent', amount_cents, due_on, period });
  }
  return charges.filter(
    ({ due_on, amount_cents }) => due_on >= ledger_from && due_on <= through && amount_cents > 0,
  );
}

export function recurringCharges(lease: Lease, recurring: Recurring, through: string): Charge[] {
  const until = untilOf(lease);
  if (until !== null && until <= lease.start_date) return [];
  const last = [through, recurring.ends_on, until === null ? null : plus(until, -1)].reduce<string>(
    (least, day) => earlier(least, day ?? least),
    through,
  );
  const { every, starts_on, amount_changes } = recurring;
  const dueOn = (count: number): string => {
    if (every === 'week') return plus(starts_on, 7 * count);
    if (every === 'two_weeks') return plus(starts_on, 14 * count);
    return plusMonths(starts_on, { month: 1, quarter: 3, year: 12 }[every] * count);
  };
  const charges: Charge[] = [];
  for (let count = 0; dueOn(count) <= last; count++) {
    const due_on = dueOn(count);
    if (due_on < later(lease.ledger_from, lease.start_date)) continue;
    const change = amount_changes.findLast(({ from }) => from <= due_on);
    charges.push({
      id: `${recurring.id} ${due_on}`,
      kind: recurring.kind,
      amount_cents: change?.amount_cents ?? recurring.amount_cents,
      due_on,
      period: null,
      recurring_charge_id: recurring.id,
    });
  }
  return charges;
}

interface Allocation {
  /** By charge. The opening balance has the lease's id. */
  open: Map<string, number>;
  /** What is left of a payment or credit. */
  unapplied: Map<string, number>;
  pays: { by: string; charge: string; cents: number }[];
}

/** Ids without their prefix, since payments and credits are in one order. */
const bare = (id: string): string => id.slice(id.indexOf('_') + 1);
const byDayAndId = (a: { on: string; id: string }, b: { on: string; id: string }): number =>
  a.on !== b.on ? (a.on < b.on ? -1 : 1) : bare(a.id) < bare(b.id) ? -1 : 1;

/** Whether it counts on a day: it was paid by then, is in the same currency, and was not returned by then. */
const countsOn = ({ currency }: Lease, payment: Payment, day: string): boolean =>
  ['paid', 'returned', 'refunded'].includes(payment.status) &&
  payment.currency === currency &&
  (payment.reversed_on === null || payment.reversed_on > day);

/** A debt that the ledger began with is a charge before all others of its day. A credit is the first payment. */
const openingOf = ({ id, ledger_from, opening_balance_cents }: Lease): Charge => ({
  id,
  kind: 'opening',
  amount_cents: opening_balance_cents,
  due_on: ledger_from,
  period: null,
});

const openingCredit = ({ id, ledger_from, opening_balance_cents }: Lease) => ({
  id,
  amount_cents: -opening_balance_cents,
  on: ledger_from,
  period: null,
  charge_id: null,
});

/** Who paid what, as seen on a day. */
export function allocate({ lease, charges, payments, credits }: Ledger, day: string): Allocation {
  const counts = (on: string): boolean => lease.ledger_from <= on && on <= day;
  const due = [openingOf(lease), ...charges]
    .filter(({ amount_cents, due_on }) => amount_cents > 0 && counts(due_on))
    .sort((a, b) => {
      const rank = (charge: Charge) => [
        charge.kind === 'deposit' ? '1' : '0',
        charge.due_on,
        charge.kind === 'opening' ? '0' : '1',
        bare(charge.id),
      ];
      return rank(a).join(' ') < rank(b).join(' ') ? -1 : 1;
    });
  const opening = lease.opening_balance_cents < 0 && counts(lease.ledger_from) ? [openingCredit(lease)] : [];
  const entries = [
    ...opening,
    ...[
      ...payments
        .filter((payment) => countsOn(lease, payment, day))
        .map((each) => ({ ...each, on: each.paid_on })),
      ...credits.map((credit) => ({ ...credit, on: credit.credited_on, period: null })),
    ]
      .filter(({ on }) => counts(on))
      .sort(byDayAndId),
  ];

  const open = new Map(due.map(({ id, amount_cents }) => [id, amount_cents]));
  const unapplied = new Map(entries.map(({ id, amount_cents }) => [id, amount_cents]));
  const pays: Allocation['pays'] = [];
  const pay = (by: string, charge: string | undefined): void => {
    const cents = Math.min(unapplied.get(by) ?? 0, open.get(charge ?? '') ?? 0);
    if (charge === undefined || cents === 0) return;
    unapplied.set(by, (unapplied.get(by) ?? 0) - cents);
    open.set(charge, (open.get(charge) ?? 0) - cents);
    pays.push({ by, charge, cents });
  };
  for (const { id, charge_id } of entries) pay(id, due.find((charge) => charge.id === charge_id)?.id);
  for (const { id, period } of entries)
    if (period !== null)
      pay(id, due.find((charge) => charge.kind === 'rent' && charge.period === period)?.id);
  for (const { id } of entries) for (const charge of due) pay(id, charge.id);
  return { open, unapplied, pays };
}

/**
 * The policy of the lease, else of the property, else of the account. A policy applies to charges due after it was set.
 */
export function policyFor(levels: Settings[], dueOn: string): Policy | null {
  for (const settings of levels) {
    const setting = settings.findLast(({ on }) => on < dueOn) ?? settings[0];
    if (setting === undefined || setting.value === 'inherit') continue;
    return setting.value === 'none' || setting.on >= dueOn ? null : setting.value;
  }
  return null;
}

const feeOf = (fee: Fee, charge: number, open: number): number => {
  if ('fixed_cents' in fee) return fee.fixed_cents;
  return 'percent_of_rent' in fee
    ? share(charge, Math.round(fee.percent_of_rent * 100), 10_000)
    : share(open, Math.round(fee.percent_of_open * 100), 10_000);
};

/** The late fees up to today, day by day, because each one changes who paid what from then on. */
export function lateFees(
  ledger: Ledger,
  levels: Settings[],
  today: string,
  isWaived: (rent: Charge, day: string) => boolean = () => false,
  idOf: (rent: Charge, day: string) => string = (rent, day) => `late fee ${day} for ${rent.id}`,
): Charge[] {
  const fined = ledger.charges.flatMap((rent) => {
    const policy = rent.kind === 'rent' ? policyFor(levels, rent.due_on) : null;
    return policy === null ? [] : [{ rent, policy, first: plus(rent.due_on, policy.grace_days + 1) }];
  });
  const fees: Charge[] = [];
  /** What was charged for a rent, or voided. */
  const used = new Map<string, number>();
  const from = fined.map(({ first }) => first).sort()[0] ?? plus(today, 1);
  for (let day = from; day <= today; day = plus(day, 1)) {
    const late = fined.filter(({ first, policy }) => day === first || (day > first && policy.daily !== null));
    if (late.length === 0) continue;
    const { open } = allocate({ ...ledger, charges: [...ledger.charges, ...fees] }, plus(day, -1));
    for (const { rent, policy, first } of late) {
      const left = open.get(rent.id) ?? 0;
      const fee = day === first ? policy.first : policy.daily;
      if (fee === null || left < Math.max(1, policy.min_open_cents)) continue;
      const before = used.get(rent.id) ?? 0;
      const room = (policy.cap_cents ?? Number.POSITIVE_INFINITY) - before;
      const amount_cents = Math.min(room, feeOf(fee, rent.amount_cents, left));
      used.set(rent.id, before + amount_cents);
      const id = idOf(rent, day);
      if (amount_cents > 0 && !isWaived(rent, day))
        fees.push({ id, kind: 'late_fee', amount_cents, due_on: day, period: null, late_fee_for: rent.id });
    }
  }
  return fees;
}

/** A row of GET /balances. `ledger` contains the lease's late fees. */
export function balanceOn(ledger: Ledger, day: string) {
  const { open, unapplied, pays } = allocate(ledger, day);
  const due = [openingOf(ledger.lease), ...ledger.charges].filter(({ id }) => (open.get(id) ?? 0) > 0);
  const openWhere = (is: (charge: Charge) => boolean): number =>
    sum(due.filter(is).map(({ id }) => open.get(id) ?? 0));
  const aged = (from: number, to = Number.POSITIVE_INFINITY) =>
    openWhere(({ due_on }) => daysFrom(due_on, day) >= from && daysFrom(due_on, day) <= to);
  const oldest = due.map(({ due_on }) => due_on).sort()[0] ?? null;
  const credit_cents = sum(unapplied.values());
  const deposits = new Set(ledger.charges.filter(({ kind }) => kind === 'deposit').map(({ id }) => id));
  const paid = sum(pays.filter(({ charge }) => deposits.has(charge)).map(({ cents }) => cents));
  const held = paid - depositsTaken(ledger, day);
  const owed_cents = openWhere(() => true);
  return {
    balance_cents: owed_cents - credit_cents,
    owed_cents,
    overdue_cents: openWhere(({ due_on }) => due_on < day),
    credit_cents,
    deposit_held_cents: Math.max(0, held),
    oldest_due_on: oldest,
    days_late: oldest === null ? 0 : daysFrom(oldest, day),
    days_0_30_cents: aged(0, 30),
    days_31_60_cents: aged(31, 60),
    days_61_90_cents: aged(61, 90),
    days_91_cents: aged(91),
  };
}

/** What was applied or given back of deposits up to a day. */
export function depositsTaken({ lease, credits, refunds }: Ledger, day: string): number {
  const isDated = (on: string) => lease.ledger_from <= on && on <= day;
  const applied = credits.filter(({ reason, credited_on }) => reason === 'deposit' && isDated(credited_on));
  const given = refunds.filter(({ refunded_on }) => isDated(refunded_on));
  return sum([...applied, ...given].map(({ amount_cents }) => amount_cents));
}

/** What was charged as deposits up to a day, paid or not. */
export const depositsCharged = ({ lease, charges }: Ledger, day: string): number =>
  sum(
    charges
      .filter(({ kind, due_on }) => kind === 'deposit' && lease.ledger_from <= due_on && due_on <= day)
      .map(({ amount_cents }) => amount_cents),
  );

/** The balance by its definition: what was charged less what came in, without asking who paid what. */
export function plainBalance({ lease, charges, payments, credits }: Ledger, day: string): number {
  if (day < lease.ledger_from) return 0;
  const isDated = (on: string) => lease.ledger_from <= on && on <= day;
  const came = payments.filter((payment) => isDated(payment.paid_on) && countsOn(lease, payment, day));
  return (
    lease.opening_balance_cents +
    sum(charges.filter(({ due_on }) => isDated(due_on)).map(({ amount_cents }) => amount_cents)) -
    sum(came.map(({ amount_cents }) => amount_cents)) -
    sum(credits.filter(({ credited_on }) => isDated(credited_on)).map(({ amount_cents }) => amount_cents))
  );
}

/** Of the tenant's leases, the one to which a payment without a named lease belongs. */
export function leaseOn(leases: Lease[], paidOn: string): Lease | null {
  const until = (lease: Lease): string => untilOf(lease) ?? '9999-12-31';
  const best = (some: Lease[], rank: (lease: Lease) => string): Lease | undefined =>
    some.toSorted((a, b) => (`${rank(a)} ${a.unit_id}` < `${rank(b)} ${b.unit_id}` ? -1 : 1))[0];
  const latest = (day: string): string => String(10_000 - daysFrom('2025-01-01', day)).padStart(6, '0');
  const real = leases.filter((lease) => until(lease) > lease.start_date);
  const runs = real.filter(
    (lease) => lease.start_date <= paidOn && (until(lease) > paidOn || lease.ended_on === paidOn),
  );
  const next = real.filter(({ start_date }) => start_date > paidOn);
  return (
    best(runs, ({ start_date }) => latest(start_date)) ??
    best(next, ({ start_date }) => start_date) ??
    best(real, (lease) => `${latest(until(lease))} ${latest(lease.start_date)}`) ??
    best(leases, ({ start_date }) => latest(start_date)) ??
    null
  );
}
