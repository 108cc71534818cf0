import { bigint, date, orNull, type RowOf, reference, smallint, table, word } from '../db/records/columns.ts';

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
  },
);

/** With its tenants in their order, who are in a table of their own. */
export type LeaseRow = RowOf<typeof leases> & { tenant_ids: string[] };
