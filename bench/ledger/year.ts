import { operator } from '../../src/caller.ts';
import { days as daysInMs } from '../../src/clock.ts';
import { raw } from '../../src/db/sql.ts';
import { fillWithDemo } from '../../src/demo/demo.ts';
import { advanceClock } from '../../src/test-mode/advance.ts';
import { testAccountOf } from '../../src/test-mode/test-accounts.ts';
import { newAccount, openDatabase } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';
import { alternate } from '../lib/rounds.ts';
import { spread } from '../lib/stats.ts';
import type { RunOptions, Samples } from '../lib/suite.ts';

/**
 * A year of test clock for the demo account, in which nobody pays: in one go, and day by day, each on a fresh copy.
 * The whole is compared with the longest day of each month, which deals with the rent of most leases.
 */
export async function measureYear(
  postgres: BenchPostgres,
  { name, days }: { name: string; days: number },
  options: RunOptions,
): Promise<Samples<'yearMs' | 'dayMs'>> {
  const began = new Date();
  const accountId = await makeDemo(postgres, began);
  /** Moves the clock on to each of these days in turn, and says how long each move took. */
  const advance = async (throughs: number[]): Promise<number[]> => {
    await using copy = await openDatabase(await postgres.createDatabase('year_copy', 'year'));
    await postgres.settle();
    const times: number[] = [];
    for (const through of throughs) {
      const started = performance.now();
      const to = new Date(began.getTime() + daysInMs(through));
      await advanceClock(copy.db, accountId, to, { now: () => new Date() });
      times.push(performance.now() - started);
    }
    return times;
  };
  const measure = async () => {
    const [yearMs = 0] = await advance([days]);
    const took = await advance(Array.from({ length: days }, (_, day) => day + 1));
    const months = Math.max(1, Math.round(days / 30.4));
    const longest = took.toSorted((a, b) => b - a).slice(0, months);
    return { yearMs, dayMs: spread(longest).median };
  };
  return alternate([{ name, measure }], options);
}

async function makeDemo(postgres: BenchPostgres, began: Date): Promise<string> {
  await using database = await openDatabase(await postgres.createDatabase('year'));
  const { db } = database;
  const { accountId } = await testAccountOf(db, await newAccount(db), began);
  const by = { permission: 'write', source: 'dashboard', actor: operator } as const;
  await fillWithDemo(db, { accountId, currency: 'USD', timeZone: 'UTC', ...by }, began);
  await db.query(raw('vacuum analyze'));
  return accountId;
}
