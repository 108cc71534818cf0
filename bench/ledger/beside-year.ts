import { days } from '../../src/clock.ts';
import { testAccountOf } from '../../src/test-mode/test-accounts.ts';
import { newAccount } from '../../test/support/service.ts';
import { keyOf, timed } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import type { Contender } from '../lib/rounds.ts';
import { percentile } from '../lib/stats.ts';
import { startTenure } from '../lib/tenure.ts';
import { openBooks } from './books.ts';

export const beside = {
  quiet: 'another account, no test clock is moved',
  year: 'another account, a test clock is moved by a year',
};

const quietRequests = 500;

/** What an account asks of `tenure start`, alone and while another moves the clock of its demo in test mode. */
export async function openBesideYear(postgres: BenchPostgres, ahead: number) {
  const { db, url, account, close } = await openBooks(postgres, 'beside', { leases: 100, months: 12 });
  const quietKey = await keyOf(db, account);
  const { accountId } = await testAccountOf(db, await newAccount({ db }), new Date());
  const testKey = await keyOf(db, accountId);

  const measure = async (isMoved: boolean) => {
    const server = await startTenure('start', { DATABASE_URL: url });
    const move = (path: string, body: object) => timed(`${server.url}/api/v1/test/${path}`, testKey, body);
    const took: number[] = [];
    const ask = async () => took.push(await timed(`${server.url}/api/v1/payments?limit=50`, quietKey));
    try {
      await move('reset', { demo: true });
      for (let count = 0; count < quietRequests; count++) await ask();
      if (isMoved) {
        took.length = 0;
        let isDone = false;
        const to = new Date(Date.now() + days(ahead)).toISOString();
        const moved = move('clock/advance', { to }).finally(() => {
          isDone = true;
        });
        while (!isDone) await ask();
        await moved;
      }
      return { p95Ms: percentile(took, 0.95) };
    } finally {
      await server.stop();
    }
  };
  const contenders: Contender<'p95Ms'>[] = [
    { name: beside.quiet, measure: () => measure(false) },
    { name: beside.year, measure: () => measure(true) },
  ];
  return { contenders, close };
}
