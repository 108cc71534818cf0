import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';

/*
 * An account with many leases and years of rent, made in SQL. Every month's rent is charged on the first and paid on
 * the third, except that one lease in twenty owes the last two months. What is open from which day to which is written
 * as freshen.ts would write it.
 */

/** The day on which everything is looked at. The last rent was due on the first of its month. */
export const ledgerToday = '2026-11-17';
export const pastDay = '2024-06-02';

export interface ManyLeases {
  account: string;
  /** The id of one of them. */
  lease: string;
}

export async function makeManyLeases(
  client: ClientBase,
  { leases, months }: { leases: number; months: number },
): Promise<ManyLeases> {
  const account = randomUUID();
  const id = (kind: string, ...parts: string[]) =>
    `md5('${account} ${kind} ' || ${parts.join(` || ' ' || `)})::uuid`;
  const now = `timestamptz '${ledgerToday}'`;
  const place = `${id('unit', 'n')}, ${id('property', 'n / 20')}`;
  const numbers = `generate_series(1, ${leases}) n`;
  const due = `(date_trunc('month', date '${ledgerToday}') - make_interval(months => m))::date`;
  const rents = `${numbers} cross join generate_series(0, ${months - 1}) m cross join lateral (select ${due} as due_on) d`;
  const isOwed = `n % 20 = 0 and m < 2`;
  // All references are right, so the database need not look them up one by one.
  await client.query(`
    begin; set local session_replication_role = replica; set local synchronous_commit = off;
    insert into accounts (id, name, slug) values ('${account}', 'Many leases', '${account}');
    insert into account_clocks (account_id, through_day, next_turn_at)
    values ('${account}', date '${ledgerToday}', timestamptz '2999-01-01');
    insert into properties (account_id, id, name, type, status, created_at, updated_at)
    select '${account}', ${id('property', 'n')}, 'House ' || n, 'multi_family', 'active', ${now}, ${now}
    from generate_series(0, ${Math.floor(leases / 20)}) n;
    insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
    select '${account}', ${place}, 'Unit ' || n, false, ${now}, ${now} from ${numbers};
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    select '${account}', ${id('tenant', 'n')}, 'Ada', 'Okafor ' || n, ${now}, ${now} from ${numbers};
    insert into leases (account_id, id, unit_id, property_id, start_date, rent_cents, currency, due_day, ledger_from,
      created_at, updated_at)
    select '${account}', ${id('lease', 'n')}, ${place}, s.start, 100000, 'USD', 1, s.start, ${now}, ${now}
    from ${numbers} cross join (select date '${ledgerToday}' - ${months * 31} as start) s;
    insert into lease_tenants (account_id, lease_id, tenant_id, position)
    select '${account}', ${id('lease', 'n')}, ${id('tenant', 'n')}, 1 from ${numbers};
    insert into charges (account_id, id, lease_id, unit_id, property_id, kind, amount_cents, currency, due_on, period,
      source, overdue_from, created_at, updated_at)
    select '${account}', ${id('charge', 'n', 'm')}, ${id('lease', 'n')}, ${place}, 'rent', 100000, 'USD', due_on,
      to_char(due_on, 'YYYY-MM'), 'schedule', due_on + 1, ${now}, ${now} from ${rents};
    insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id, amount_cents, currency, paid_on,
      method, status, source, created_at, updated_at)
    select '${account}', ${id('payment', 'n', 'm')}, ${id('tenant', 'n')}, ${id('lease', 'n')}, ${place}, 100000, 'USD',
      due_on + 2, 'bank_transfer', 'paid', 'api', ${now}, ${now} from ${rents} where not (${isOwed});
    insert into open_spans (account_id, lease_id, kind, item_id, due_on, amount_cents, from_day, to_day)
    select '${account}', ${id('lease', 'n')}, 'charge', ${id('charge', 'n', 'm')}, due_on, 100000, due_on,
      case when not (${isOwed}) then due_on + 2 end from ${rents};
    commit`);
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ lease: string }>(`select ${id('lease', '7')} as lease`);
  return { account, lease: rows[0]?.lease ?? '' };
}
