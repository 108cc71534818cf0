import { bigint, date, orNull, type RowOf, reference, table, text, word } from '../../db/records/columns.ts';
import type { ChargeKind, ChargeSource } from './charges.schema.ts';

export const charges = table(
  'charges',
  { alias: 'c', prefix: 'chg' },
  {
    lease_id: reference('lease'),
    kind: word<ChargeKind>(),
    amount_cents: bigint,
    due_on: date,
    period: orNull(word()),
    memo: orNull(text),
    external_id: orNull(text),
    source: word<ChargeSource>(),
    recurring_charge_id: orNull(reference('rec')),
    late_fee_for: orNull(reference('chg')),
    voided_on: orNull(date),
    void_reason: orNull(text),
  },
);

export type ChargeRow = RowOf<typeof charges>;
