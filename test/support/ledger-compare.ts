import { expect } from 'vitest';
import { type ApiCharge, type Books, whatItIs } from './ledger-books.ts';
import * as model from './ledger-model.ts';

/* Compares the API's answers with the model, both for the same books. */

/** The ledgers of all leases with their late fees, once the API's charges are found to be exactly theirs. */
export async function compareCharges(books: Books): Promise<model.Ledger[]> {
  const found = await books.chargesNow();
  const ledgers = books.leases.map((lease) => {
    const theirs = found.filter(({ lease_id }) => lease_id === lease.id);
    const charges = namedAs(theirs, chargesOf(books, lease));
    const meant = <Paid extends { charge_id: string | null }>(paid: Paid): Paid => ({
      ...paid,
      charge_id: books.meant(paid.charge_id, theirs),
    });
    const ledger: model.Ledger = {
      lease,
      charges,
      payments: books.payments.filter((payment) => leaseOf(books, payment) === lease.id).map(meant),
      credits: books.credits.filter(({ lease_id }) => lease_id === lease.id).map(meant),
      refunds: books.refunds.filter(({ lease_id }) => lease_id === lease.id),
    };
    const fees = feesUpTo(books, ledger, books.today, theirs);
    return { ...ledger, charges: [...charges, ...fees] };
  });
  const open = new Map(ledgers.flatMap((ledger) => [...model.allocate(ledger, books.today).open]));
  const brief = (
    { id, kind, amount_cents, due_on, late_fee_for }: model.Charge,
    status: string,
    cents: number,
  ) =>
    `${due_on} ${kind} ${amount_cents} ${status} ${cents} ${late_fee_for ? `for ${late_fee_for} ` : ''}${id}`;
  const expected = ledgers.flatMap(({ lease, charges }) =>
    charges.map((charge) => {
      const isUpcoming = charge.due_on > books.today;
      const isCounted = charge.due_on >= lease.ledger_from;
      const left = isUpcoming ? charge.amount_cents : isCounted ? (open.get(charge.id) ?? Number.NaN) : 0;
      const state = left === 0 ? 'paid' : left === charge.amount_cents ? 'open' : 'partial';
      return brief(charge, isUpcoming ? 'upcoming' : state, left);
    }),
  );
  expect(found.map((charge) => brief(charge, charge.status, charge.open_cents)).sort()).toEqual(
    expected.sort(),
  );
  return ledgers;
}

/** The late fees of a ledger that has none, with the ids that the API gave them. */
function feesUpTo(books: Books, ledger: model.Ledger, day: string, found: model.Charge[]): model.Charge[] {
  const { settings } = books.leases.find(({ id }) => id === ledger.lease.id) ?? { settings: [] };
  return model.lateFees(
    ledger,
    [settings, books.property, books.account],
    day,
    (rent, on) => books.isWaived(ledger.lease.id, rent, on),
    (rent, on) =>
      found.find(({ late_fee_for, due_on }) => late_fee_for === rent.id && due_on === on)?.id ??
      `chg_~missing ${rent.id} ${on}`,
  );
}

/** All charges except late fees, due as far ahead as charges are posted. */
function chargesOf(books: Books, lease: Books['leases'][number]): model.Charge[] {
  const made = books.charges.filter(({ lease_id }) => lease_id === lease.id);
  const scheduled = [
    ...model.scheduledCharges(lease, books.through),
    ...books.recurring
      .filter(({ lease_id }) => lease_id === lease.id)
      .flatMap((recurring) => model.recurringCharges(lease, recurring, books.through)),
  ].filter(
    ({ id, period }) =>
      !books.taken.has(`${lease.id} ${id}`) &&
      (period === null || !made.some((charge) => charge.kind === 'rent' && charge.period === period)),
  );
  return [...scheduled, ...made];
}

/** The model's charges with the ids that the API gave them. */
function namedAs(found: ApiCharge[], charges: model.Charge[]): model.Charge[] {
  const left = found.filter(({ source }) => source !== 'late_fee');
  return charges.map((charge) => {
    const same = left.findIndex(
      (each) =>
        each.id === charge.id ||
        (each.source === 'schedule'
          ? whatItIs(each) === charge.id
          : charge.id === '' && each.kind === charge.kind && each.due_on === charge.due_on),
    );
    const [named] = same === -1 ? [] : left.splice(same, 1);
    return { ...charge, id: named?.id ?? `chg_missing ${charge.id}` };
  });
}

function leaseOf(
  books: Books,
  { tenant_id, paid_on, isGiven, lease_id }: Books['payments'][number],
): string | null {
  if (isGiven) return lease_id;
  const theirs = books.leases.filter(({ tenant_ids }) => tenant_ids.includes(tenant_id));
  return model.leaseOn(theirs, paid_on)?.id ?? null;
}

export async function comparePayments(books: Books): Promise<void> {
  const found = await books.ask<Books['payments']>('/payments?limit=1000');
  const brief = (id: string, status: string, lease: string | null) => `${id} ${status} ${lease}`;
  expect(found.map(({ id, status, lease_id }) => brief(id, status, lease_id)).sort()).toEqual(
    books.payments.map((payment) => brief(payment.id, payment.status, leaseOf(books, payment))).sort(),
  );
}

type BalanceRow = ReturnType<typeof model.balanceOn> & { lease_id: string };

/** Compares every lease's balance on a day, and the sums that must be true whatever the amounts are. */
export async function compareBalances(books: Books, ledgers: model.Ledger[], day: string): Promise<void> {
  const rows = await books.ask<BalanceRow[]>(`/balances?as_of=${day}&limit=1000`);
  const expected = ledgers.map((ledger) => ({ lease_id: ledger.lease.id, ...model.balanceOn(ledger, day) }));
  const byLease = (a: BalanceRow, b: BalanceRow) => (a.lease_id < b.lease_id ? -1 : 1);
  const figures = Object.keys(expected[0] ?? {}) as (keyof BalanceRow)[];
  const found = rows.map((row) => Object.fromEntries(figures.map((key) => [key, row[key]])) as BalanceRow);
  expect({ day, rows: found.sort(byLease) }).toEqual({ day, rows: expected.sort(byLease) });
  for (const ledger of ledgers) {
    expect(model.balanceOn(ledger, day).balance_cents).toBe(model.plainBalance(ledger, day));
    // Otherwise what was paid for the deposit would be a credit, although the tenant has had it.
    expect(model.depositsCharged(ledger, day)).toBeGreaterThanOrEqual(model.depositsTaken(ledger, day));
  }
  for (const row of found) {
    expect(row.days_0_30_cents + row.days_31_60_cents + row.days_61_90_cents + row.days_91_cents).toBe(
      row.balance_cents + row.credit_cents,
    );
    expect(row.deposit_held_cents).toBeGreaterThanOrEqual(0);
  }
}

/** Compares the late fees that the coming days would bring if nothing more were paid or posted. */
export async function comparePreview(books: Books, ledgers: model.Ledger[], days: number): Promise<void> {
  const asOf = model.plus(books.today, days);
  type Fee = Pick<ApiCharge, 'late_fee_for' | 'due_on' | 'amount_cents'>;
  const brief = ({ late_fee_for, due_on, amount_cents }: Partial<Fee>) =>
    `${due_on} ${amount_cents} for ${late_fee_for}`;
  const expected = ledgers.flatMap((ledger) => {
    const others = ledger.charges.filter(({ late_fee_for }) => !late_fee_for);
    const fees = feesUpTo(books, { ...ledger, charges: others }, asOf, ledger.charges);
    return fees.filter(({ due_on }) => due_on > books.today).map(brief);
  });
  const found = await books.ask<Fee[]>(`/late-fees/preview?as_of=${asOf}`);
  expect(found.map(brief).sort()).toEqual(expected.sort());
}

/** Days on which something changes, the days before them, and today. */
export function daysOfInterest(books: Books, ledgers: model.Ledger[]): string[] {
  const days = ledgers.flatMap(({ lease, charges, payments, credits, refunds }) => [
    lease.ledger_from,
    ...charges.map(({ due_on }) => due_on),
    ...payments.flatMap(({ paid_on, reversed_on }) => [paid_on, reversed_on ?? paid_on]),
    ...credits.map(({ credited_on }) => credited_on),
    ...refunds.map(({ refunded_on }) => refunded_on),
  ]);
  return [...new Set([books.today, ...days].flatMap((day) => [day, model.plus(day, -1)]))]
    .filter((day) => day <= books.through)
    .sort();
}

interface Line {
  date: string;
  type: string;
  id: string;
  increase_cents: number;
  decrease_cents: number;
  balance_cents: number;
  pays: { id: string; amount_cents: number }[];
  paid_by: { id: string; amount_cents: number }[];
}

/**
 * Compares every entry of a lease from one day to another, the balance after it, and who paid what by the end of the
 * last day.
 */
export async function compareLedger(
  books: Books,
  ledger: model.Ledger,
  from: string,
  to: string,
): Promise<void> {
  const { lease } = ledger;
  type Found = { opening_balance_cents: number; closing_balance_cents: number; entries: Line[] };
  const found = await books.ask<Found>(`/leases/${lease.id}/ledger?from=${from}&to=${to}`);
  const { pays } = model.allocate(ledger, to);
  const shares = (some: { id: string; cents: number }[]) =>
    some.map(({ id, cents }) => `${id} ${cents}`).sort();
  const shown = (some: Line['pays']) =>
    shares(some.map(({ id, amount_cents }) => ({ id, cents: amount_cents })));
  const brief = (date: string, type: string, id: string, increase: number, decrease: number) => ({
    entry: `${date} ${type} ${id} +${increase} -${decrease}`,
    pays:
      type === 'return'
        ? []
        : shares(
            pays
              .filter(({ by }) => by === id && decrease > 0)
              .map(({ charge, cents }) => ({ id: charge, cents })),
          ),
    paid_by:
      type === 'return'
        ? []
        : shares(
            pays
              .filter(({ charge }) => charge === id && increase > 0)
              .map(({ by, cents }) => ({ id: by, cents })),
          ),
  });
  const opening = lease.opening_balance_cents;
  const expected = [
    ...(opening === 0
      ? []
      : [brief(lease.ledger_from, 'opening_balance', lease.id, Math.max(0, opening), Math.max(0, -opening))]),
    ...ledger.charges.map((each) => brief(each.due_on, 'charge', each.id, each.amount_cents, 0)),
    ...ledger.credits.map((each) => brief(each.credited_on, 'credit', each.id, 0, each.amount_cents)),
    ...ledger.refunds.map((each) => brief(each.refunded_on, 'deposit_refund', each.id, 0, 0)),
    ...ledger.payments
      .filter(
        ({ status, currency, paid_on }) =>
          /^(paid|returned|refunded)$/.test(status) &&
          currency === lease.currency &&
          paid_on >= lease.ledger_from,
      )
      .flatMap(({ id, amount_cents, paid_on, reversed_on }) => [
        brief(paid_on, 'payment', id, 0, amount_cents),
        ...(reversed_on === null ? [] : [brief(reversed_on, 'return', id, amount_cents, 0)]),
      ]),
  ].filter(({ entry }) => {
    const date = entry.slice(0, 10);
    return date >= lease.ledger_from && date >= from && date <= to;
  });
  const byEntry = (a: { entry: string }, b: { entry: string }) => (a.entry < b.entry ? -1 : 1);
  expect({
    from,
    to,
    entries: found.entries
      .map(({ date, type, id, increase_cents, decrease_cents, pays: those, paid_by }) => ({
        entry: `${date} ${type} ${id} +${increase_cents} -${decrease_cents}`,
        pays: shown(those),
        paid_by: shown(paid_by),
      }))
      .sort(byEntry),
  }).toEqual({ from, to, entries: expected.sort(byEntry) });

  let [balance, date] = [found.opening_balance_cents, from];
  expect(balance).toBe(model.plainBalance(ledger, model.plus(from, -1)));
  for (const line of found.entries) {
    if (line.date !== date) expect(balance, `when ${date} ended`).toBe(model.plainBalance(ledger, date));
    expect(line.date >= date).toBe(true);
    date = line.date;
    balance += line.increase_cents - line.decrease_cents;
    expect(line.balance_cents).toBe(balance);
  }
  expect(found.closing_balance_cents).toBe(balance);
  expect(balance).toBe(model.plainBalance(ledger, to));
}
