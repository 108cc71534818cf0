import type { Db } from '../../db/connect.ts';
import { rowsAsTable } from '../../db/records/rows-as-table.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { findDueLeases } from '../posting/schedule.store.ts';
import { findUnposted } from '../posting/schedule.ts';
import { addDays, nextMonth } from '../rules/calendar.ts';

/*
 * The one definition of expected, collected and owed, for every report and page. Expected is what falls due in a
 * range of days, except deposits; collected is what is paid of it as of today, and owed is the rest. So the three
 * always add up. Which payments came in on which day is a different question.
 */

export interface DayRange {
  from: string;
  to: string;
}

/** A scheduled charge of the current month that is not posted yet. */
export interface Unposted {
  lease_id: string;
  kind: string;
  period: string | null;
  due_on: string;
  amount_cents: number;
}

/** How many leases are handled at once, so that no statement takes long. */
const atOnce = 2_000;

/** What will still be posted this month. It is expected from the first of the month on. */
export async function unpostedCharges(
  db: Db,
  accountId: string,
  { from, to }: DayRange,
  today: string,
): Promise<Unposted[]> {
  const endOfMonth = addDays(nextMonth(today), -1);
  const through = to < endOfMonth ? to : endOfMonth;
  const found: Unposted[] = [];
  const leases = through < from ? [] : await findDueLeases(db, accountId, through);
  for (let at = 0; at < leases.length; at += atOnce)
    for (const { charges } of await findUnposted(db, accountId, leases.slice(at, at + atOnce), through))
      found.push(...charges.filter(({ due_on, kind }) => due_on >= from && kind !== 'deposit'));
  return found;
}

const types = { lease_id: 'uuid', kind: 'text', period: 'text', due_on: 'date', amount_cents: 'bigint' };

/** The charges expected in the range, each with its month, property_id, currency, expected_cents and owed_cents. */
export const expectedCharges = (
  accountId: string,
  { from, to }: DayRange,
  today: string,
  unposted: Unposted[],
): Sql => sql`
  select to_char(c.due_on, 'YYYY-MM') as month, c.property_id, c.currency, c.amount_cents as expected_cents,
    case when c.due_on > ${today}::date then c.amount_cents else coalesce(s.amount_cents, 0) end as owed_cents
  from charges c
  join leases l on l.account_id = ${accountId} and l.id = c.lease_id and l.currency = c.currency
    and l.ledger_from <= c.due_on
  left join (
    select item_id, amount_cents from open_spans
    where account_id = ${accountId} and kind = 'charge' and daterange(from_day, to_day) @> ${today}::date) s
    on s.item_id = c.id
  where c.account_id = ${accountId} and c.voided_on is null and c.kind <> 'deposit'
    and c.due_on between ${from}::date and ${to}::date
  union all
  select to_char(n.due_on, 'YYYY-MM'), l.property_id, l.currency, n.amount_cents, n.amount_cents
  from ${rowsAsTable(unposted, types)}
  join leases l on l.account_id = ${accountId} and l.id = n.lease_id
  where n.kind <> 'rent' or not exists (
    select from charges c where c.account_id = ${accountId} and c.lease_id = n.lease_id and c.kind = 'rent'
      and c.period = n.period and c.voided_on is null)`;
