import { operator } from '../../src/caller.ts';
import { days as daysInMs } from '../../src/clock.ts';
import { connect } from '../../src/db/connect.ts';
import { raw } from '../../src/db/sql.ts';
import { fillWithDemo } from '../../src/demo/demo.ts';
import { advanceClock } from '../../src/test-mode/advance.ts';
import { testAccountOf } from '../../src/test-mode/test-accounts.ts';
import { newAccount } from '../../test/support/service.ts';
import { openDatabase } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';

/** A year of test clock for the demo account, in which nobody pays: in one go, and day by day, each on a fresh copy. */
export async function openYear(postgres: BenchPostgres, days: number) {
  const { db, close, drop } = await openDatabase(await postgres.createDatabase('year'));
  const began = new Date();
  const { accountId } = await testAccountOf(db, await newAccount({ db }), began);
  const by = { permission: 'write', source: 'dashboard', actor: operator } as const;
  await fillWithDemo(db, { accountId, currency: 'USD', timeZone: 'UTC', ...by }, began);
  await db.query(raw('vacuum analyze'));
  await close();

  async function onCopy<Result>(work: (advance: (days: number) => Promise<number>) => Promise<Result>) {
    const copy = await postgres.createDatabase('year_copy', 'year');
    await postgres.settle();
    const { connection } = copy;
    const its = connect({ connection, poolSize: 4, timeoutMs: 300_000, onError: console.error });
    const advance = async (through: number) => {
      const started = performance.now();
      const to = new Date(began.getTime() + daysInMs(through));
      await advanceClock(its, accountId, to, { now: () => new Date() });
      return performance.now() - started;
    };
    return work(advance).finally(() => its.close());
  }
  return {
    /** The whole time, and that of a day on which the rent of most leases is dealt with: the longest of each month. */
    async measure() {
      const yearMs = await onCopy((advance) => advance(days));
      const took = await onCopy(async (advance) => {
        const each: number[] = [];
        for (let through = 1; through <= days; through++) each.push(await advance(through));
        return each;
      });
      const months = Math.max(1, Math.round(days / 30.4));
      const longest = took.toSorted((a, b) => b - a).slice(0, months);
      return { yearMs, dayMs: longest[Math.floor(longest.length / 2)] ?? 0 };
    },
    close: drop,
  };
}
