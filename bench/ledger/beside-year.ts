import { days } from '../../src/clock.ts';
import { testAccountOf } from '../../src/test-mode/test-accounts.ts';
import { keyOf, newAccount } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import { answersDuring, timed, timesOf } from '../lib/requests.ts';
import { alternate, type Contender } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import type { RunOptions, Samples } from '../lib/suite.ts';
import { startTenure } from '../lib/tenure.ts';
import { openBooks } from './books.ts';

export const beside = {
  quiet: 'another account, no test clock is moved',
  year: 'another account, a test clock is moved by a year',
};

const quietRequests = 500;

/** What an account asks of `tenure start`, alone and while another moves the clock of its demo in test mode. */
export async function measureBesideYear(
  postgres: BenchPostgres,
  ahead: number,
  options: RunOptions,
): Promise<Samples<'p95Ms'>> {
  await using books = await openBooks(postgres, 'beside', { leases: 100, months: 12 });
  const { db, url, account } = books;
  const quietKey = await keyOf(db, account);
  const { accountId } = await testAccountOf(db, await newAccount(db), new Date());
  const testKey = await keyOf(db, accountId);

  const measure = async (isMoved: boolean) => {
    await using server = await startTenure('start', { DATABASE_URL: url });
    const test = (path: string, body: object) => timed(`${server.url}/api/v1/test/${path}`, testKey, body);
    const ask = () => timed(`${server.url}/api/v1/payments?limit=50`, quietKey);
    await test('reset', { demo: true });
    const quiet = await timesOf(quietRequests, ask);
    const to = new Date(Date.now() + days(ahead)).toISOString();
    const times = isMoved ? await answersDuring(test('clock/advance', { to }), ask) : quiet;
    return { p95Ms: percentile(times, 0.95) };
  };
  const contenders: Contender<'p95Ms'>[] = [
    { name: beside.quiet, measure: () => measure(false) },
    { name: beside.year, measure: () => measure(true) },
  ];
  return await alternate(contenders, options, { warmUp: false });
}
