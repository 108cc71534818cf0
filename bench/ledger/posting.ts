import { setTimeout as sleep } from 'node:timers/promises';
import { operator } from '../../src/caller.ts';
import type { Db } from '../../src/db/connect.ts';
import { raw } from '../../src/db/sql.ts';
import { postScheduled } from '../../src/ledger/posting/schedule.ts';
import { makeManyLeases } from '../../test/support/many-leases.ts';
import { keyOf } from '../lib/database.ts';
import { residentMb } from '../lib/memory.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import { answersDuring, timed, timesOf } from '../lib/requests.ts';
import { alternate, type Contender } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import type { RunOptions, Samples } from '../lib/suite.ts';
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

/** The rent of the next month, for leases that have been charged the previous one. */
export async function measurePosting(
  postgres: BenchPostgres,
  leases: number,
  options: RunOptions,
): Promise<{ rates: Samples<'perSecond'>; neighbours: Samples<'ms' | 'mb'> }> {
  await using books = await openBooks(postgres, 'posting', { leases, months: 1 });
  const { db, client, url, account } = books;
  const { rows } = await client.query<{ today: string; due: string; period: string }>(`
    select current_date::text as today, d::date::text as due, to_char(d, 'YYYY-MM') as period
    from (select date_trunc('month', current_date) + interval '1 month' as d) m`);
  const [{ today, due, period } = { today: '', due: '', period: '' }] = rows;
  const how = { accountId: account, actor: operator, now: new Date(), today, events: true };

  /** The state before posting the rent of one in this many leases. */
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

  options.say('rent can be posted');
  const rates = await alternate(work, options);

  const other = await makeManyLeases(client, { leases: 100, months: 12 });
  const key = await keyOf(db, other.account);
  const dayIsTurned = async () => {
    const turned = `select from account_clocks where account_id = '${account}' and through_day = '${today}'`;
    while ((await client.query(turned)).rows.length === 0) await sleep(20);
  };
  /** The account's day as `tenure start` turns it, while another account asks that process for its payments. */
  const beside = async (oneIn: number | null) => {
    await prepare(oneIn ?? 1);
    // A fresh process each time: the memory of one day must not hide that of the next.
    await using server = await startTenure('start', { DATABASE_URL: url });
    let mb = 0;
    const ask = () => {
      mb = Math.max(mb, residentMb(server.pid));
      return timed(`${server.url}/api/v1/payments?limit=50`, key);
    };
    const quiet = await timesOf(quietRequests, ask);
    if (oneIn === null) return { ms: percentile(quiet, 0.5), mb };
    await client.query(`
      update accounts set post_days_before_due = date '${due}' - date '${today}' where id = '${account}';
      update account_clocks set through_day = date '${today}' - 1, next_turn_at = now()
      where account_id = '${account}'`);
    const times = await answersDuring(dayIsTurned(), ask);
    await check(Math.floor(leases / oneIn));
    return { ms: percentile(times, 0.5), mb };
  };
  const contenders: Contender<'ms' | 'mb'>[] = [
    { name: posted.quiet, measure: () => beside(null) },
    { name: posted.tenth, measure: () => beside(10) },
    { name: posted.all, measure: () => beside(1) },
  ];
  return { rates, neighbours: await alternate(contenders, options, { warmUp: false }) };
}
