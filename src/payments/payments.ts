import type { Caller } from '../caller.ts';
import { refusedMove, type Transitions } from '../changes.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { BatchWriter } from '../db/records/batch-writes.ts';
import { newRow, type RowOf, type WithId } from '../db/records/columns.ts';
import { insertRows } from '../db/records/rows.ts';
import { sql } from '../db/sql.ts';
import { missing, refuseViolations } from '../db/violations.ts';
import { type AppError, conflict } from '../errors.ts';
import { recordChange } from '../events/record.ts';
import { changeRecord, type Writing, writerOf, writing } from '../events/writer.ts';
import { formatId, newId } from '../ids.ts';
import { payments } from './payments.columns.ts';
import type { PaymentChange, PaymentInput, PaymentStatus } from './payments.schema.ts';
import { followingLease, fromLease, ofKnownTenants, paymentShape } from './payments.store.ts';

export const transitions: Transitions<PaymentStatus> = {
  pending: ['paid', 'failed', 'voided'],
  paid: ['returned', 'refunded', 'voided'],
  failed: [],
  returned: [],
  refunded: [],
  voided: [],
};

interface PaymentWriting extends Writing {
  /** The account's. */
  currency: string;
}

export const paymentWriter = writerOf({
  table: payments,
  shape: () => paymentShape,
  created: 'payment.created',
  updated: 'payment.updated',
  inserting: ({ accountId, currency }: PaymentWriting) => fromLease(accountId, currency),
  updating: ({ accountId }: PaymentWriting) => followingLease(accountId),
});

export function recordPayment(db: Db, caller: Caller, input: PaymentInput, now: Date): Promise<string> {
  const { accountId, currency, source, timeZone } = caller;
  const row = newRow(payments, { ...input, paid_on: input.paid_on ?? todayIn(timeZone, now), source });
  return newPayments.add(db, accountId, { row, currency });
}

/** Integrations send them by the hundred. */
const newPayments = new BatchWriter(
  async (
    db: Db,
    accountId: string,
    items: { row: WithId<RowOf<typeof payments>>; currency: string }[],
  ): Promise<(string | AppError)[]> => {
    // The answers come in the order of the ids.
    const ids = items.map(newId).sort();
    const rows = items.map(({ row }, at) => ({ ...row, id: ids[at] as string }));
    const { joins, ...lease } = fromLease(accountId, items[0]?.currency ?? '');
    const written = await refuseViolations('payments', () =>
      recordChange(db, {
        accountId,
        shape: paymentShape,
        rows: insertRows(payments, accountId, rows, {
          ...lease,
          joins: sql`${joins} ${ofKnownTenants(accountId)}`,
        }),
        count: rows.length,
        events: ['payment.created'],
      }),
    );
    if (written.length === rows.length) return written;
    const byId = new Map(written.map((json) => [JSON.parse(json).id, json]));
    return ids.map((id) => byId.get(formatId('pay', id)) ?? missing('tenant_id'));
  },
);

export const changePayment = (
  db: Db,
  caller: Caller,
  id: string,
  patch: PaymentChange,
  now: Date,
): Promise<string> =>
  changeRecord(
    db,
    paymentWriter,
    { ...writing(caller, now), currency: caller.currency },
    id,
    patch,
    (_tx, next, current) => {
      const refusal = refusedMove('payment', transitions, current.status, next.status);
      if (refusal) throw conflict(refusal);
    },
  );
