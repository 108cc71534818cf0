import { bigint, type Column, date, orNull, reference, table, text, word } from '../db/records/columns.ts';
import type { PaymentStatus } from './payments.schema.ts';

/** Null in a new payment stands for the lease's currency, or else the account's. */
const currency: Column<string | null> = word();

export const payments = table(
  'payments',
  { alias: 'p', prefix: 'pay' },
  {
    tenant_id: reference('ten'),
    amount_cents: bigint,
    currency,
    paid_on: date,
    method: word(),
    status: word<PaymentStatus>(),
    period: orNull(word()),
    reference: orNull(text),
    memo: orNull(text),
    source: word(),
  },
);
