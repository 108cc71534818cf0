import { formatId, parseId } from '../ids.ts';
import { ChargeCreate } from '../ledger/charges/charges.schema.ts';
import { makeCharge } from '../ledger/charges/charges.ts';
import { CreditCreate } from '../ledger/credits/credits.schema.ts';
import { giveCredit } from '../ledger/credits/credits.ts';
import { DepositRefundCreate } from '../ledger/deposits/deposits.schema.ts';
import { refundDeposit } from '../ledger/deposits/deposits.ts';
import { addDays, later } from '../ledger/rules/calendar.ts';
import type { LateFeePolicy } from '../ledger/rules/late-fee-policy.ts';
import { type Scheduled, scheduledCharges } from '../ledger/rules/schedule.ts';
import { PaymentCreate } from '../payments/payments.schema.ts';
import type { Demo, Stay } from './telling.ts';

const fee = 5_000;
export const lateFees: LateFeePolicy = {
  grace_days: 5,
  first: { fixed_cents: fee },
  daily: null,
  cap_cents: null,
  min_open_cents: 2_500,
};

/** A story with less history than this is not believable. */
const monthsOfHistory = 11;

export function payRent(demo: Demo, stay: Stay): void {
  const { today } = demo;
  payDeposit(demo, stay);
  const rents = rentsOf(demo, stay);
  const story = rents.length >= monthsOfHistory && demo.dice.happens(0.3) ? demo.stories.shift() : undefined;
  const slow = story === undefined && demo.dice.happens(0.1);
  const behind =
    { 'a month behind': 1, 'two months behind': 2, 'four months behind': 4 }[story as string] ?? 0;
  // A story's last rent was due some time ago, so that the story is the same during the first days of a month.
  const last = rents.findLastIndex(({ due_on }) => due_on <= addDays(today, -10));
  rents.forEach((rent, at) => {
    const fromLast = last - at;
    if (behind > 0 && fromLast < behind) return;
    if (story === 'payment plan' && fromLast >= 5 && fromLast <= 7) return;
    if (story === 'payment plan' && fromLast < 5)
      pay(demo, stay, rent, { more: 25_000, memo: 'Rent and instalment of the payment plan' });
    else if (story === 'returned payment' && fromLast === 0) bounce(demo, stay, rent);
    else if (story === 'half a month behind' && fromLast === 0)
      pay(demo, stay, rent, { more: -Math.round(rent.amount_cents / 2) });
    else if (story === 'paid ahead' || story === 'concession') pay(demo, stay, rent, { days: -4 });
    // The second rent may come before a late first one, and then pays it without a fee.
    else if (slow && demo.dice.happens(0.35) && at > 0) payLate(demo, stay, rent);
    else pay(demo, stay, rent);
  });
  if (story === 'paid ahead')
    record(demo, stay, {
      amount_cents: stay.terms.rent_cents,
      paid_on: addDays(today, -2),
      memo: 'Paid ahead',
    });
  if (story === 'concession')
    credit(demo, stay, {
      amount_cents: 15_000,
      credited_on: addDays(today, -9),
      reason: 'concession',
      memo: 'Two weeks without a lift',
    });
}

/** Most of those who left got their deposit back, some of them less repairs. Two owe more than their deposit. */
export function payAndLeave(demo: Demo, stay: Stay, end: string): void {
  payDeposit(demo, stay);
  const rents = rentsOf(demo, stay);
  const isLongAgo = addDays(end, 100) < demo.today;
  const owing = demo.formerOwing > 0 && demo.dice.happens(0.25) && rents.length > 4 && isLongAgo;
  if (owing) demo.formerOwing -= 1;
  const paid = owing ? rents.slice(0, demo.formerOwing === 1 ? -3 : -2) : rents;
  for (const rent of paid) pay(demo, stay, rent);
  const { deposit } = stay;
  const damaged = owing || demo.dice.happens(0.2);
  const repair = damaged ? 18_000 : 0;
  const [due, settled] = [addDays(end, 3), addDays(end, 14)];
  if (deposit === null || settled > demo.today) return;
  if (damaged)
    charge(demo, stay, {
      kind: 'repair',
      amount_cents: repair,
      due_on: due,
      memo: 'Repainting and a broken door',
    });
  const kept = owing ? deposit.amount_cents : repair;
  if (kept > 0)
    credit(demo, stay, { amount_cents: kept, credited_on: settled, reason: 'deposit', memo: 'Deposit kept' });
  const rest = deposit.amount_cents - kept;
  if (rest === 0) return;
  const body = { amount_cents: rest, refunded_on: settled };
  demo.afterwards.push(() =>
    refundDeposit(
      demo.db,
      demo.caller,
      parseId('lease', stay.leaseId) ?? '',
      DepositRefundCreate.parse(body),
      demo.now,
    ),
  );
}

/** What falls due each month up to today: the rent, and whatever is charged with it. */
function rentsOf({ today }: Demo, { terms, extra }: Stay): Scheduled[] {
  const rents = scheduledCharges(terms, today).charges.filter(({ kind }) => kind === 'rent');
  return rents.map((rent) => {
    const also = extra !== null && rent.due_on >= extra.from && isDueDay(rent.due_on, extra.from);
    return also ? { ...rent, amount_cents: rent.amount_cents + extra.amount_cents } : rent;
  });
}

/** In the last month, rent may be due earlier. What is charged with it then never falls due. */
const isDueDay = (day: string, first: string): boolean => day.slice(8) === first.slice(8);

function payDeposit(demo: Demo, stay: Stay): void {
  const { deposit } = stay;
  if (deposit === null) return;
  const { id, amount_cents } = deposit;
  const paid_on = stay.terms.start_date;
  // It names its charge, because otherwise it would pay rent that is open.
  record(demo, stay, { charge_id: formatId('chg', id), amount_cents, paid_on, memo: 'Security deposit' });
}

interface How {
  more?: number;
  days?: number;
  memo?: string;
}

/** Pays on time unless told otherwise. Now and then a payment fails first. */
function pay(demo: Demo, stay: Stay, rent: Scheduled, { more = 0, days, memo }: How = {}): void {
  const { dice, today } = demo;
  // The ledger counts nothing before its first day.
  const paid_on = later(addDays(rent.due_on, days ?? dice.between(-3, 3)), stay.terms.start_date);
  const payment = { amount_cents: rent.amount_cents + more, period: rent.period, memo: memo ?? null };
  const [failed, clearing] = [dice.happens(0.01), dice.happens(0.2)];
  if (paid_on > today) return;
  if (failed) record(demo, stay, { ...payment, paid_on: addDays(paid_on, -1), status: 'failed' });
  const status = paid_on > addDays(today, -3) && clearing ? 'pending' : 'paid';
  record(demo, stay, { ...payment, paid_on, status });
}

/** Pays after the days of grace, with the fee for that. */
const payLate = (demo: Demo, stay: Stay, rent: Scheduled): void =>
  pay(demo, stay, rent, { more: fee, days: demo.dice.between(7, 16), memo: 'Rent and late fee' });

/** The bank takes a payment back, and the tenant has not paid since. */
function bounce(demo: Demo, stay: Stay, rent: Scheduled): void {
  const reversed_on = addDays(rent.due_on, 3);
  if (reversed_on > demo.today) return;
  const { amount_cents, period, due_on } = rent;
  record(demo, stay, {
    amount_cents,
    period,
    paid_on: due_on,
    status: 'returned',
    reversed_on,
    method: 'check',
  });
  charge(demo, stay, {
    kind: 'returned_payment',
    amount_cents: 2_500,
    due_on: reversed_on,
    memo: 'Returned check',
  });
}

function record(demo: Demo, { tenantId, method }: Stay, fields: object): void {
  const reference = method === 'check' ? `Check ${demo.dice.between(1000, 9999)}` : null;
  demo.payments.push(PaymentCreate.parse({ tenant_id: tenantId, method, reference, ...fields }));
}

function charge({ db, caller, now, afterwards }: Demo, { leaseId }: Stay, fields: object): void {
  const body = ChargeCreate.parse({ lease_id: leaseId, ...fields });
  afterwards.push(() => makeCharge(db, caller, body, now));
}

function credit({ db, caller, now, afterwards }: Demo, { leaseId }: Stay, fields: object): void {
  const body = CreditCreate.parse({ lease_id: leaseId, ...fields });
  afterwards.push(() => giveCredit(db, caller, body, now));
}
