/*
 * Not among the suites of lib/report.ts yet: each of those has results in docs/benchmarks.md, and this one is still to be
 * measured on a machine that does nothing else. To do so, add `ledger` to suiteNames.
 */
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createKey } from '../../src/api-keys/api-keys.ts';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { connect, type Db } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { raw } from '../../src/db/sql.ts';
import { createServer } from '../../src/http/server/server.ts';
import { formatId } from '../../src/ids.ts';
import { postScheduled } from '../../src/ledger/schedule.ts';
import { createLog } from '../../src/log.ts';
import { ledgerToday, makeManyLeases, pastDay } from '../../test/support/many-leases.ts';
import { type BenchPostgres, openPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { spread } from '../lib/stats.ts';
import { ratioBar, type Suite, section } from '../lib/suite.ts';
import { secretKey } from '../lib/tenure.ts';

const months = 60;
const requestsEach = 30;

const names = {
  few: 'owing, 100 leases',
  many: 'owing, 10,000 leases',
  past: 'owing on a past day, 10,000 leases',
  payments: "a lease's payments",
  ledger: "a lease's ledger",
  posted: 'rent posted with its events',
  inserted: 'the same rows by insert … select',
};

export const suite: Suite = {
  title: 'Ledger',
  rounds: 5,
  async run(options) {
    const { quick, say } = options;
    const postgres = await openPostgres('ledger');
    try {
      const small = await openAccount(postgres, 'few', 100);
      const large = await openAccount(postgres, 'many', quick ? 500 : 10_000);
      say('the accounts are made');
      const owing = (as_of: string) => `/balances?owing=true&limit=50&as_of=${as_of}`;
      const asking = (name: string, account: Account, path: string) => ({
        name,
        measure: async () => ({ ms: await account.time(path) }),
      });
      const times = await alternate(
        [
          asking(names.few, small, owing(ledgerToday)),
          asking(names.many, large, owing(ledgerToday)),
          asking(names.past, large, owing(pastDay)),
          asking(names.payments, large, `/payments?lease_id=${large.lease}`),
          asking(names.ledger, large, `/leases/${large.lease}/ledger?to=${ledgerToday}`),
        ],
        options,
      );
      await small.close();
      await large.close();
      const posting = await openPosting(postgres, quick ? 2_000 : 100_000);
      const posted = await alternate(posting.contenders, options);
      await posting.close();
      return {
        intro,
        settings: {
          leases: '100 and 10,000',
          months,
          'requests a round': requestsEach,
          'leases posted': 100_000,
        },
        versions: { postgres: postgres.version },
        bars: [
          ratioBar('`/balances?owing=true`, first page', times, 'ms', [names.many, names.few], ['≤', 2]),
          ratioBar('the same as of a past day', times, 'ms', [names.past, names.few], ['≤', 3]),
          ratioBar(
            "a lease's ledger, beside its payments",
            times,
            'ms',
            [names.ledger, names.payments],
            ['≤', 1.5],
          ),
          ratioBar('rent posted', posted, 'perSecond', [names.posted, names.inserted], ['≥', 0.5]),
        ],
        sections: [
          section('Asking', times, { ms: 'p50 ms' }),
          section('Posting', posted, { perSecond: 'charges/s' }),
        ],
      };
    } finally {
      await postgres.stop();
    }
  },
};

const intro = `Accounts with five years of rent: every month is charged on the first and paid on the third, and one lease in
twenty owes the last two months. Requests go through the server, one after the other. On the past day, the second of a
month, every lease owes a rent. Then a month's rent of an account is posted in one transaction, with the events, beside
plain statements that insert as many charges and events.`;

interface Account {
  lease: string;
  /** The median time of a request. */
  time(path: string): Promise<number>;
  close(): Promise<void>;
}

async function openDatabase(postgres: BenchPostgres, name: string, leases: number, ofMonths: number) {
  const { connection } = await postgres.createDatabase(name);
  const db = connect({ connection, poolSize: 4, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const client = new pg.Client(connection);
  await client.connect();
  const made = await makeManyLeases(client, { leases, months: ofMonths });
  await postgres.settle();
  return { db, client, ...made };
}

async function openAccount(postgres: BenchPostgres, name: string, leases: number): Promise<Account> {
  const { db, client, account, lease } = await openDatabase(postgres, name, leases, months);
  await client.end();
  const config = loadConfig({ SECRET_KEY: secretKey, RATE_LIMIT_PER_SECOND: '0' }, '');
  const app = createApp({ config, db, log: createLog('silent'), secretKey });
  const server = createServer(app);
  await server.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}/api/v1`;
  const { key } = await createKey(db, {
    accountId: account,
    name: 'bench',
    permission: 'read',
    expiresAt: null,
  });
  return {
    lease: formatId('lease', lease),
    async time(path) {
      const took: number[] = [];
      for (let count = 0; count < requestsEach; count++) {
        const started = performance.now();
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } });
        const text = await answer.text();
        took.push(performance.now() - started);
        if (answer.status !== 200) throw new Error(`${path}: ${text}`);
      }
      return spread(took).median;
    },
    async close() {
      await server.close();
      await db.close();
    },
  };
}

/** Rent that is due on the first of the next month. */
async function openPosting(postgres: BenchPostgres, leases: number) {
  const { db, client, account } = await openDatabase(postgres, 'posting', leases, 1);
  const due = '2026-12-01';
  const how = {
    accountId: account,
    now: new Date('2026-11-26T08:00:00Z'),
    today: '2026-11-26',
    events: true,
  };
  const perSecond = async (work: (tx: Db) => Promise<unknown>) => {
    await client.query(`delete from charges where due_on = '${due}'; truncate events, ledger_changes`);
    await client.query(`insert into lease_schedules (account_id, lease_id, next_charge_on)
      select account_id, id, '${due}' from leases
      on conflict (account_id, lease_id) do update set next_charge_on = excluded.next_charge_on`);
    await client.query('vacuum analyze charges, lease_schedules');
    await postgres.settle();
    const started = performance.now();
    await db.transaction(work);
    const rate = leases / ((performance.now() - started) / 1000);
    const { rows } = await client.query(
      `select (select count(*)::int from charges where due_on = '${due}') as charges, count(*)::int as events from events`,
    );
    if (rows[0]?.charges !== leases || rows[0]?.events !== leases)
      throw new Error(`Posted ${JSON.stringify(rows[0])} for ${leases} leases.`);
    return { perSecond: rate };
  };
  const plain = `
    with made as (
      insert into charges (account_id, id, lease_id, unit_id, property_id, kind, amount_cents, currency, due_on, period,
        source, overdue_from, created_at, updated_at)
      select account_id, gen_random_uuid(), id, unit_id, property_id, 'rent', rent_cents, currency, date '${due}',
        '2026-12', 'schedule', date '${due}' + 1, now(), now() from leases where account_id = '${account}'
      returning *)
    insert into events (account_id, id, event, body, created_at)
    select account_id, gen_random_uuid(), 'charge.created',
      json_build_object('event', 'charge.created', 'data', json_build_object('charge', row_to_json(made)))::text, now()
    from made`;
  return {
    contenders: [
      { name: names.posted, measure: () => perSecond((tx) => postScheduled(tx, how, due)) },
      {
        name: names.inserted,
        measure: () => perSecond((tx) => tx.query(raw(plain))),
      },
    ],
    async close() {
      await client.end();
      await db.close();
    },
  };
}
