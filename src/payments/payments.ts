import { type Actor, type Caller, operator } from '../caller.ts';
import { changes, refusedMove, type Transitions } from '../changes.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { BatchWriter } from '../db/records/batch-writes.ts';
import { newRow, type WithId } from '../db/records/columns.ts';
import { findTaken, refuseTaken } from '../db/records/external-ids.ts';
import { findRows, insertRows, updateRows } from '../db/records/rows.ts';
import { sql } from '../db/sql.ts';
import { missing, refuseViolations } from '../db/violations.ts';
import { type AppError, conflict, invalidField } from '../errors.ts';
import { recordChange } from '../events/record.ts';
import { changeRecord, recordRows, type Writer, type Writing, writing } from '../events/writer.ts';
import { formatId, newId } from '../ids.ts';
import { ChargeCreate } from '../ledger/charges/charges.schema.ts';
import { makeCharge } from '../ledger/charges/charges.ts';
import { later } from '../ledger/rules/calendar.ts';
import {
  followingLease,
  fromLease,
  fromNamedLease,
  markingLeases,
  markLeasesOfNew,
} from './payment-leases.store.ts';
import { nameLeases, renameLeases } from './payment-leases.ts';
import { type PaymentRow, payments } from './payments.columns.ts';
import type { PaymentChange, PaymentInput, PaymentStatus } from './payments.schema.ts';
import { ofKnownTenants, paymentShape, tieToLease } from './payments.store.ts';

export const transitions: Transitions<PaymentStatus> = {
  pending: ['paid', 'failed', 'voided'],
  paid: ['returned', 'refunded', 'voided'],
  failed: [],
  returned: [],
  refunded: [],
  voided: [],
};

/**
 * Why a change is not allowed, as a sentence; null if it is. A closed payment is history: changing its amount would
 * change what was owed on past days without anybody noticing.
 */
export function refusedChange(
  before: Pick<PaymentRow, ClosedField | 'status'>,
  next: Pick<PaymentRow, ClosedField | 'status'>,
): AppError | null {
  const closed = transitions[before.status].length === 0;
  if (closed && closedFields.some((field) => before[field] !== next[field]))
    return conflict(
      'payment_closed',
      `A ${before.status} payment is closed: its amount, currency, date and tenant cannot change. Record another one.`,
    );
  return refusedMove('payment', transitions, before.status, next.status);
}

const closedFields = ['amount_cents', 'currency', 'paid_on', 'tenant_id'] as const;
type ClosedField = (typeof closedFields)[number];

type Payment = WithId<PaymentRow>;

interface PaymentWriting extends Writing {
  /** The currency of the account. */
  currency: string;
  /** Ids of new payments that come from an export. */
  exported?: ReadonlySet<string>;
}

export const paymentWriter: Writer<PaymentRow, PaymentWriting> = {
  shape: () => paymentShape,
  find: (db, accountId, ids, lock) => findRows(db, payments, accountId, ids, lock),

  async add(db, how, added) {
    const { accountId, currency, today, exported } = how;
    for (const payment of added) setReversalDay(payment, today);
    await refuseTaken(db, payments, accountId, added);
    refuse(await nameLeases(db, accountId, added, exported));
    const groups = [
      [added.filter(({ lease_id }) => lease_id === null), fromLease(accountId, currency)],
      [added.filter(({ lease_id }) => lease_id !== null), fromNamedLease(accountId, currency)],
    ] as const;
    const json: string[] = [];
    for (const [some, lease] of groups) {
      if (some.length === 0) continue;
      const written = await refuseViolations('payments', () =>
        recordRows(db, how, {
          shape: paymentShape,
          rows: insertRows(payments, accountId, some, lease),
          count: some.length,
          events: ['payment.created'],
          also: markLeasesOfNew(accountId),
        }),
      );
      json.push(...written);
    }
    return json;
  },

  async change(tx, how, changed, before) {
    const { accountId, now, today } = how;
    for (const payment of changed) setReversalDay(payment, today);
    await refuseTaken(tx, payments, accountId, changed, before);
    refuse(await renameLeases(tx, accountId, changed, before));
    const ids = changed.map(({ id }) => id);
    const marking = await markingLeases(tx, accountId, ids);
    return refuseViolations('payments', () =>
      recordRows(tx, how, {
        shape: paymentShape,
        rows: updateRows(payments, accountId, changed, now, followingLease(accountId)),
        ids,
        events: ['payment.updated'],
        ...marking,
      }),
    );
  },
};

function refuse(wrong: Map<string, AppError>): void {
  for (const problem of wrong.values()) throw problem;
}

export const isReversed = (status: PaymentStatus): boolean => status === 'returned' || status === 'refunded';

/** Sets the day on which a payment was returned or refunded: today, unless another day is sent. */
function setReversalDay(payment: Payment, today: string): void {
  if (!isReversed(payment.status)) {
    if (payment.reversed_on === null) return;
    throw invalidField('reversed_on', 'Only a returned or refunded payment can have this date.');
  }
  payment.reversed_on ??= later(today, payment.paid_on);
  if (payment.reversed_on < payment.paid_on)
    throw invalidField('reversed_on', 'Must not be before `paid_on`.');
}

export function recordPayment(db: Db, caller: Caller, input: PaymentInput, now: Date): Promise<string> {
  const { accountId, actor } = caller;
  const item = newPayment(caller, input, now);
  const { fee_cents } = input;
  if (!fee_cents) return newPayments.add(db, accountId, item, groupOf(actor));
  if (!isReversed(item.row.status)) throw feeRefused();
  return db.transaction(async (tx) => {
    const payment = await newPayments.add(tx, accountId, item);
    return withFee(tx, caller, payment, fee_cents, now);
  });
}

/** Records several payments in one statement. None of them has a fee. */
export const recordPayments = (
  tx: Db,
  caller: Caller,
  inputs: PaymentInput[],
  now: Date,
): Promise<(string | AppError)[]> =>
  writePayments(
    tx,
    caller.accountId,
    inputs.map((input) => newPayment(caller, input, now)),
  );

interface NewPayment {
  row: Payment;
  /** The currency of the account. */
  currency: string;
  actor: Actor;
}

function newPayment(
  { actor, currency, source, timeZone }: Caller,
  input: PaymentInput,
  now: Date,
): NewPayment {
  const today = todayIn(timeZone, now);
  const row = newRow(payments, { ...input, paid_on: input.paid_on ?? today, source, lease_given: false });
  setReversalDay(row, today);
  return { row, currency, actor };
}

const feeRefused = () =>
  invalidField('fee_cents', 'A fee is charged when a payment becomes returned or refunded, and only then.');

/** Charges the payment's lease a fee for the return. */
async function withFee(
  tx: Db,
  caller: Caller,
  payment: string,
  feeCents: number,
  now: Date,
): Promise<string> {
  const { lease_id, reversed_on } = JSON.parse(payment);
  if (lease_id === null)
    throw invalidField('fee_cents', 'The payment has no lease that could be charged a fee.');
  const fee = { lease_id, kind: 'returned_payment', amount_cents: feeCents, due_on: reversed_on };
  await makeCharge(tx, caller, ChargeCreate.parse(fee), now);
  return payment;
}

/** All payments written by one statement have the same actor. */
const groupOf = ({ type, id }: Actor): string => `${type} ${id}`;

/** Integrations send payments by the hundred. */
const newPayments = new BatchWriter(writePayments);

async function writePayments(db: Db, accountId: string, items: NewPayment[]): Promise<(string | AppError)[]> {
  // The results come in the order of the ids.
  const ids = items.map(newId).sort();
  const rows = items.map(({ row }, at) => ({ ...row, id: ids[at] as string }));
  // Only payments that name a lease or a charge, or have an external_id, need further statements.
  const wrong = await nameLeases(db, accountId, rows);
  for (const [id, refusal] of await findTaken(db, payments, accountId, rows)) wrong.set(id, refusal);
  const fitting = rows.filter(({ id }) => !wrong.has(id));
  const { currency = '', actor = operator } = items[0] ?? {};
  const { joins, ...lease } = fromLease(accountId, currency);
  const written =
    fitting.length === 0
      ? []
      : await refuseViolations('payments', () =>
          recordChange(db, {
            accountId,
            actor,
            shape: paymentShape,
            rows: insertRows(payments, accountId, fitting, {
              ...lease,
              joins: sql`${joins} ${ofKnownTenants(accountId)}`,
            }),
            count: fitting.length,
            events: ['payment.created'],
            bounded: true,
            also: markLeasesOfNew(accountId),
          }),
        );
  if (written.length === rows.length) return written;
  const byId = new Map(written.map((json) => [JSON.parse(json).id, json]));
  return ids.map((id) => byId.get(formatId('pay', id)) ?? wrong.get(id) ?? missing('tenant_id'));
}

export function changePayment(
  db: Db,
  caller: Caller,
  id: string,
  { fee_cents, ...patch }: PaymentChange,
  now: Date,
): Promise<string> {
  const how = { ...writing(caller, now), currency: caller.currency };
  return db.transaction(async (tx) => {
    let tied = false;
    const payment = await changeRecord(
      tx,
      paymentWriter,
      how,
      id,
      (current) => {
        if (fee_cents && (isReversed(current.status) || !isReversed(patch.status ?? current.status)))
          throw feeRefused();
        const next = withLeaseGiven(withDayKept(patch, current), current);
        tied = isTiedOnly(current, next);
        return tied ? {} : next;
      },
      (_tx, next, current) => {
        const refusal = refusedChange(current, next);
        if (refusal) throw refusal;
      },
    );
    if (tied) await tieToLease(tx, caller.accountId, id);
    return fee_cents ? withFee(tx, caller, payment, fee_cents, now) : payment;
  });
}

type Patch = Omit<PaymentChange, 'fee_cents'>;

/** Today is the default on the day of the return. Later, null leaves the day as it is. */
function withDayKept(patch: Patch, current: Payment): Patch {
  const { reversed_on, ...others } = patch;
  return reversed_on === null && current.reversed_on !== null ? others : patch;
}

/**
 * If a payment names its lease, it stays there, even if the rule chose that lease. This is not shown, so it makes no
 * event: a payment that is sent back as it was read has not changed.
 */
function withLeaseGiven(patch: Patch, current: Payment): Partial<PaymentRow> {
  const { lease_id, ...others } = patch;
  if (lease_id === undefined || (lease_id === null && !current.lease_given)) return others;
  return { ...others, lease_id, lease_given: lease_id !== null };
}

/** Whether nothing changes except that the payment is tied to the lease it already has. */
const isTiedOnly = (current: Payment, { lease_given, ...shown }: Partial<PaymentRow>): boolean =>
  lease_given === true && !current.lease_given && !changes(current, shown);
