import {
  bigint,
  date,
  json,
  orNull,
  type RowOf,
  reference,
  table,
  text,
  word,
} from '../../db/records/columns.ts';
import type { Interval } from '../rules/recurrence.ts';
import type { RecurringKind } from './recurring.schema.ts';

export const recurringCharges = table(
  'recurring_charges',
  { alias: 'r', prefix: 'rec' },
  {
    lease_id: reference('lease'),
    kind: word<RecurringKind>(),
    amount_cents: bigint,
    every: word<Interval>(),
    starts_on: date,
    ends_on: orNull(date),
    amount_changes: json<{ from: string; amount_cents: number }[]>(),
    memo: orNull(text),
    external_id: orNull(text),
    source: word(),
  },
);

export type RecurringRow = RowOf<typeof recurringCharges>;
