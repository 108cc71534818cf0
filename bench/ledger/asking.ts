import { formatId } from '../../src/ids.ts';
import { ledgerToday, pastDay } from '../../test/support/many-leases.ts';
import { keyOf, timed } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import type { Contender } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import { startTenure } from '../lib/tenure.ts';
import { openBooks } from './books.ts';

const requestsEach = 60;

export const asked = {
  few: 'owing, 100 leases',
  many: 'owing, 10,000 leases',
  fewPast: 'owing on a past day, 100 leases',
  past: 'owing on a past day, 10,000 leases',
  payments: "a lease's payments",
  ledger: "a lease's ledger",
};

/** Requests to `tenure api`, one after the other. */
export async function openAsking(postgres: BenchPostgres, leases: number, months: number) {
  const small = await openAccount(postgres, 'few', 100, months);
  const large = await openAccount(postgres, 'many', leases, months);
  const asking = (name: string, { ask }: typeof small, path: string): Contender<'ms'> => ({
    name,
    async measure() {
      const took: number[] = [];
      for (let count = 0; count < requestsEach; count++) took.push(await ask(path));
      return { ms: percentile(took, 0.5) };
    },
  });
  const owing = (day: string) => `/balances?owing=true&limit=50&as_of=${day}`;
  return {
    contenders: [
      asking(asked.few, small, owing(ledgerToday)),
      asking(asked.many, large, owing(ledgerToday)),
      asking(asked.fewPast, small, owing(pastDay)),
      asking(asked.past, large, owing(pastDay)),
      asking(asked.payments, large, `/payments?lease_id=${large.lease}`),
      asking(asked.ledger, large, `/leases/${large.lease}/ledger?to=${ledgerToday}`),
    ],
    async close() {
      await small.close();
      await large.close();
    },
  };
}

async function openAccount(postgres: BenchPostgres, name: string, leases: number, months: number) {
  const { db, url, account, lease, close } = await openBooks(postgres, name, { leases, months });
  const key = await keyOf(db, account);
  await close();
  const server = await startTenure('api', { DATABASE_URL: url });
  return {
    lease: formatId('lease', lease),
    ask: (path: string) => timed(`${server.url}/api/v1${path}`, key),
    close: server.stop,
  };
}
