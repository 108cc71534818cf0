import { bigint, date, orNull, type RowOf, reference, table, text, word } from '../../db/records/columns.ts';
import type { CreditReason } from './credits.schema.ts';

export const credits = table(
  'credits',
  { alias: 'k', prefix: 'crd' },
  {
    lease_id: reference('lease'),
    amount_cents: bigint,
    credited_on: date,
    reason: word<CreditReason>(),
    charge_id: orNull(reference('chg')),
    memo: orNull(text),
    external_id: orNull(text),
    source: word(),
    voided_on: orNull(date),
    void_reason: orNull(text),
  },
);

export type CreditRow = RowOf<typeof credits>;
