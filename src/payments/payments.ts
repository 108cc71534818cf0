import type { Caller } from '../caller.ts';
import { changes, merged, refusedMove, type Transitions } from '../changes.ts';
import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { Gatherer } from '../db/gather.ts';
import { findRecord, type Page } from '../db/list.ts';
import { missing, refuseViolations } from '../db/violations.ts';
import { type AppError, conflict, notFound } from '../errors.ts';
import { recordChange, recordOne } from '../events/record.ts';
import { formatId, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { PaymentChange, PaymentFilter, PaymentInput, PaymentStatus } from './payments.schema.ts';
import * as store from './payments.store.ts';

export const transitions: Transitions<PaymentStatus> = {
  pending: ['paid', 'failed', 'voided'],
  paid: ['returned', 'refunded', 'voided'],
  failed: [],
  returned: [],
  refunded: [],
  voided: [],
};

export function recordPayment(db: Db, caller: Caller, input: PaymentInput, now: Date): Promise<string> {
  return newPayments.add(db, caller.accountId, {
    tenant_id: input.tenant_id,
    amount_cents: input.amount_cents,
    currency: input.currency ?? null,
    account_currency: caller.currency,
    paid_on: input.paid_on ?? dateOf(now),
    method: input.method,
    status: input.status,
    period: input.period ?? null,
    reference: input.reference ?? null,
    memo: input.memo ?? null,
    source: caller.source,
  });
}

/** Integrations send them by the hundred. */
const newPayments = new Gatherer(
  async (
    db: Db,
    accountId: string,
    inputs: Omit<store.NewPayment, 'id'>[],
  ): Promise<(string | AppError)[]> => {
    // The answers come in the order of the ids.
    const ids = inputs.map(newId).sort();
    const rows = inputs.map((input, at) => ({ ...input, id: ids[at] as string }));
    const written = await refuseViolations('payments', () =>
      recordChange(db, {
        accountId,
        shape: store.paymentShape,
        rows: store.insertPayments(accountId, rows, store.ofKnownTenants(accountId)),
        count: rows.length,
        events: ['payment.created'],
      }),
    );
    if (written.length === rows.length) return written;
    const byId = new Map(written.map((json) => [JSON.parse(json).id, json]));
    return ids.map((id) => byId.get(formatId('pay', id)) ?? missing('tenant_id'));
  },
);

export function changePayment(
  db: Db,
  caller: Caller,
  id: string,
  patch: PaymentChange,
  now: Date,
): Promise<string> {
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    const current = await store.findPaymentForChange(tx, accountId, id);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getPayment(tx, accountId, id);
    const next = merged(current, patch);
    const refusal = refusedMove('payment', transitions, current.status, next.status);
    if (refusal) throw conflict(refusal);
    const json = await recordOne(tx, {
      accountId,
      shape: store.paymentShape,
      rows: store.updatePayments(accountId, [{ ...next, id }], now),
      events: ['payment.updated'],
    });
    return json ?? getPayment(tx, accountId, id);
  });
}

export async function getPayment(db: Db, accountId: string, id: string): Promise<string> {
  const json = await findRecord(db, store.paymentShape, accountId, id);
  if (json === null) throw notFound();
  return json;
}

export function listPayments(
  db: Db,
  accountId: string,
  filter: PaymentFilter,
  bounds: PageBounds,
): Promise<Page> {
  return store.listPayments(db, accountId, filter, bounds);
}

/** JSON of what the payments that match come to, by currency and status. */
export function totalPayments(
  db: Db,
  accountId: string,
  filter: PaymentFilter,
  bounds: PageBounds,
): Promise<string> {
  return store.totalPayments(db, accountId, filter, bounds);
}
