import {
  bigint,
  type Column,
  date,
  json,
  orNull,
  type RowOf,
  reference,
  smallint,
  table,
  text,
  word,
} from '../db/records/columns.ts';
import type { LateFees } from '../ledger/rules/late-fee-policy.ts';
import type { Proration, RentChange } from '../ledger/rules/schedule.ts';

/** Null in a new lease means the default. */
const ledgerFrom: Column<string | null> = date;

export const leases = table(
  'leases',
  { alias: 'l', prefix: 'lease' },
  {
    unit_id: reference('unit'),
    start_date: date,
    end_date: orNull(date),
    rent_cents: bigint,
    deposit_cents: orNull(bigint),
    currency: word(),
    due_day: smallint,
    notice_given_on: orNull(date),
    ended_on: orNull(date),
    rent_changes: json<RentChange[]>(),
    proration: word<Proration>(),
    ledger_from: ledgerFrom,
    opening_balance_cents: bigint,
    late_fees: json<LateFees>(),
    external_id: orNull(text),
  },
);

/** The row with its tenants, in order, who are in a table of their own. */
export type LeaseRow = RowOf<typeof leases> & { tenant_ids: string[] };
