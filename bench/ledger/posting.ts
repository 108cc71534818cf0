import { operator } from '../../src/caller.ts';
import type { Db } from '../../src/db/connect.ts';
import { raw } from '../../src/db/sql.ts';
import { postScheduled } from '../../src/ledger/schedule.ts';
import { makeManyLeases } from '../../test/support/many-leases.ts';
import { keyOf, timed } from '../lib/database.ts';
import { residentMb } from '../lib/memory.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import type { Contender } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import { startTenure } from '../lib/tenure.ts';
import { openBooks } from './books.ts';

export const posted = {
  posted: 'rent posted with its events',
  inserted: 'the same rows by insert … select',
  quiet: 'another account, nothing is posted',
  tenth: 'another account, a tenth is posted',
  all: 'another account, all is posted',
};

const quietRequests = 300;

/** The rent of the next first of a month, of leases that have the one before. */
export async function openPosting(postgres: BenchPostgres, leases: number) {
  const { db, client, url, account, close } = await openBooks(postgres, 'posting', { leases, months: 1 });
  const { rows } = await client.query<{ today: string; due: string; period: string }>(`
    select current_date::text as today, d::date::text as due, to_char(d, 'YYYY-MM') as period
    from (select date_trunc('month', current_date) + interval '1 month' as d) m`);
  const [{ today, due, period } = { today: '', due: '', period: '' }] = rows;
  const how = { accountId: account, actor: operator, now: new Date(), today, events: true };

  /** As before the rent of one in so many leases is posted. */
  const prepare = async (oneIn: number) => {
    await client.query(`
      truncate events, ledger_changes; delete from open_spans where due_on = '${due}';
      delete from charges where due_on = '${due}'; delete from lease_schedules where account_id = '${account}';
      insert into lease_schedules (account_id, lease_id, next_charge_on)
      select account_id, id, '${due}' from
        (select *, row_number() over () as n from leases where account_id = '${account}') l where n % ${oneIn} = 0`);
    await client.query('vacuum analyze charges, lease_schedules, open_spans');
    await postgres.settle();
  };
  const check = async (wanted: number) => {
    const { rows } = await client.query(`
      select count(*)::int as charges, (select count(*)::int from events where event = 'charge.created') as events
      from charges where due_on = '${due}'`);
    if (rows[0]?.charges !== wanted || rows[0]?.events !== wanted)
      throw new Error(`Posted ${JSON.stringify(rows[0])} for ${wanted} leases.`);
  };
  const timedWork = async (work: (tx: Db) => Promise<unknown>) => {
    await prepare(1);
    const started = performance.now();
    await db.transaction(work);
    const perSecond = leases / ((performance.now() - started) / 1000);
    await check(leases);
    return { perSecond };
  };
  const plain = `
    with made as (
      insert into charges (account_id, id, lease_id, unit_id, property_id, kind, amount_cents, currency, due_on, period,
        source, overdue_from, created_at, updated_at)
      select account_id, gen_random_uuid(), id, unit_id, property_id, 'rent', rent_cents, currency, date '${due}',
        '${period}', 'schedule', date '${due}' + 1, now(), now() from leases where account_id = '${account}'
      returning *)
    insert into events (account_id, id, event, body, created_at)
    select account_id, gen_random_uuid(), 'charge.created',
      json_build_object('event', 'charge.created', 'data', json_build_object('charge', row_to_json(made)))::text, now()
    from made`;
  const work: Contender<'perSecond'>[] = [
    { name: posted.posted, measure: () => timedWork((tx) => postScheduled(tx, how, due)) },
    { name: posted.inserted, measure: () => timedWork((tx) => tx.query(raw(plain))) },
  ];

  /** The account's day as `tenure start` turns it, while another account asks that process for its payments. */
  async function openNeighbour() {
    const other = await makeManyLeases(client, { leases: 100, months: 12 });
    const key = await keyOf(db, other.account);
    const isDone = async () => {
      const { rows } = await client.query(
        `select from account_clocks where account_id = '${account}' and through_day = '${today}'`,
      );
      return rows.length > 0;
    };
    const measure = async (oneIn: number | null) => {
      await prepare(oneIn ?? 1);
      // A fresh process each time: what one day took must not hide what the next takes.
      const server = await startTenure('start', { DATABASE_URL: url });
      const took: number[] = [];
      let most = 0;
      const ask = async () => {
        took.push(await timed(`${server.url}/api/v1/payments?limit=50`, key));
        most = Math.max(most, residentMb(server.pid));
      };
      try {
        for (let count = 0; count < quietRequests; count++) await ask();
        if (oneIn === null) return { ms: percentile(took, 0.5), mb: most };
        took.length = 0;
        await client.query(`
          update accounts set post_days_before_due = date '${due}' - date '${today}' where id = '${account}';
          update account_clocks set through_day = date '${today}' - 1, next_turn_at = now()
          where account_id = '${account}'`);
        while (!(await isDone())) for (let count = 0; count < 10; count++) await ask();
        await check(Math.floor(leases / oneIn));
        return { ms: percentile(took, 0.5), mb: most };
      } catch (error) {
        throw new Error(`The process has warned of: ${server.warnings()}`, { cause: error });
      } finally {
        await server.stop();
      }
    };
    const contenders: Contender<'ms' | 'mb'>[] = [
      { name: posted.quiet, measure: () => measure(null) },
      { name: posted.tenth, measure: () => measure(10) },
      { name: posted.all, measure: () => measure(1) },
    ];
    return contenders;
  }
  return { work, openNeighbour, close };
}
