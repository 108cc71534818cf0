import {
  bigint,
  boolean,
  type Column,
  date,
  notShown,
  orNull,
  type RowOf,
  reference,
  table,
  text,
  word,
} from '../db/records/columns.ts';
import type { PaymentStatus } from './payments.schema.ts';

/** Null in a new payment means the lease's currency, or else the account's. */
const currency: Column<string | null> = word();

export const payments = table(
  'payments',
  { alias: 'p', prefix: 'pay' },
  {
    tenant_id: reference('ten'),
    // Null in a row to be written means that the lease has yet to be chosen.
    lease_id: orNull(reference('lease')),
    charge_id: orNull(reference('chg')),
    amount_cents: bigint,
    currency,
    paid_on: date,
    method: word(),
    status: word<PaymentStatus>(),
    reversed_on: orNull(date),
    period: orNull(word()),
    reference: orNull(text),
    memo: orNull(text),
    external_id: orNull(text),
    source: word(),
    lease_given: notShown(boolean),
  },
);

export type PaymentRow = RowOf<typeof payments>;
