import type { Database } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { formatId } from '../ids.ts';

/** More would not help anybody to find the cause. */
const mostNamed = 10;

interface Disagreement {
  lease_id: string;
  /** The first one. */
  day: string;
}

/**
 * What was open on any day is worked out once and kept. Here the entries are added up anew, by nothing but sums: on every
 * day open charges less unapplied credit must be the balance.
 */
export async function describeLedger(db: Database) {
  const accounts = await db.query<{ id: string }>(
    sql`/* across accounts */ select id from accounts order by id`,
  );
  const wrong: Disagreement[] = [];
  for (const { id } of accounts) wrong.push(...(await leasesThatDisagree(db, id)));
  if (wrong.length === 0) return { message: 'open amounts add up to the balances, on every day' };
  const named = wrong
    .slice(0, mostNamed)
    .map(({ lease_id, day }) => `${formatId('lease', lease_id)} (${day})`);
  throw new Error(
    `the open amounts of ${wrong.length} leases do not add up to their entries, first on the day given: ` +
      `${named.join(', ')}${wrong.length > mostNamed ? ', …' : ''}. Please report this.`,
  );
}

/**
 * Entries change the balance of a lease on certain days, and spans of open amounts must do so by the same; nor may more
 * be open than was charged. A lease that is marked has yet to be worked out from the mark's day on.
 */
export function leasesThatDisagree(db: Database, accountId: string): Promise<Disagreement[]> {
  return db.query<Disagreement>(sql`
    with entries as (
      select lease_id, due_on as dated, due_on as day, amount_cents as cents, currency from charges
      where account_id = ${accountId} and voided_on is null
      union all
      select lease_id, credited_on, credited_on, -amount_cents, currency from credits
      where account_id = ${accountId} and voided_on is null
      union all
      select lease_id, paid_on, paid_on, -amount_cents, currency from payments
      where account_id = ${accountId} and status in ('paid', 'returned', 'refunded')
      union all
      select lease_id, paid_on, reversed_on, amount_cents, currency from payments
      where account_id = ${accountId} and status in ('returned', 'refunded')),
    changes as (
      select id as lease_id, ledger_from as day, opening_balance_cents as cents
      from leases where account_id = ${accountId}
      union all
      select e.lease_id, e.day, e.cents from entries e
      join leases l on l.account_id = ${accountId} and l.id = e.lease_id
      where e.dated >= l.ledger_from and e.currency = l.currency
      union all
      select lease_id, from_day, case kind when 'credit' then amount_cents else -amount_cents end
      from open_spans where account_id = ${accountId}
      union all
      select lease_id, to_day, case kind when 'credit' then -amount_cents else amount_cents end
      from open_spans where account_id = ${accountId} and to_day is not null),
    wrong as (
      select lease_id, day from changes group by lease_id, day having sum(cents) <> 0
      union all
      select s.lease_id, s.from_day from open_spans s
      left join charges c on c.account_id = ${accountId} and c.id = s.item_id and c.voided_on is null
      where s.account_id = ${accountId} and s.kind = 'charge' and s.amount_cents > coalesce(c.amount_cents, 0))
    select w.lease_id, min(w.day)::text as day from wrong w
    where not exists (
      select from ledger_changes m
      where m.account_id = ${accountId} and m.lease_id = w.lease_id and m.from_day <= w.day)
    group by w.lease_id order by w.lease_id`);
}
