import { formatId } from '../../src/ids.ts';
import { ledgerToday, pastDay } from '../../test/support/many-leases.ts';
import { keyOf } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import { timed, timesOf } from '../lib/requests.ts';
import { alternate, type Contender } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import type { RunOptions, Samples } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';
import { openBooks } from './books.ts';

/** With 60, which is what a process answers while Node still compiles it, the rounds differed by a half. */
const requestsEach = 300;

export const asked = {
  few: 'owing, 100 leases',
  many: 'owing, 10,000 leases',
  fewPast: 'owing on a past day, 100 leases',
  past: 'owing on a past day, 10,000 leases',
  payments: "a lease's payments",
  ledger: "a lease's ledger",
};

/** Requests to `tenure api`, one after the other. */
export async function measureAsking(
  postgres: BenchPostgres,
  { leases, months }: { leases: number; months: number },
  options: RunOptions,
): Promise<Samples<'ms'>> {
  await using small = await openServer(postgres, 'few', { leases: 100, months });
  await using large = await openServer(postgres, 'many', { leases, months });
  options.say('the accounts are made');
  const asking = (name: string, { url, key }: typeof small, path: string): Contender<'ms'> => ({
    name,
    async measure() {
      const times = await timesOf(requestsEach, () => timed(`${url}/api/v1${path}`, key));
      return { ms: percentile(times, 0.5) };
    },
  });
  const owing = (day: string) => `/balances?owing=true&limit=50&as_of=${day}`;
  const contenders = [
    asking(asked.few, small, owing(ledgerToday)),
    asking(asked.many, large, owing(ledgerToday)),
    asking(asked.fewPast, small, owing(pastDay)),
    asking(asked.past, large, owing(pastDay)),
    asking(asked.payments, large, `/payments?lease_id=${large.lease}`),
    asking(asked.ledger, large, `/leases/${large.lease}/ledger?to=${ledgerToday}`),
  ];
  return await alternate(contenders, options);
}

async function openServer(postgres: BenchPostgres, name: string, size: { leases: number; months: number }) {
  await using books = await openBooks(postgres, name, size);
  const key = await keyOf(books.db, books.account);
  return {
    ...(await startTenure('api', { DATABASE_URL: books.url })),
    key,
    lease: formatId('lease', books.lease),
  };
}
