import { operator } from '../../src/caller.ts';
import { turnDay } from '../../src/days/turn-day.ts';
import { connect, type Db } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { raw } from '../../src/db/sql.ts';
import { fillWithDemo } from '../../src/demo/demo.ts';
import { addDays } from '../../src/ledger/rules/calendar.ts';
import { newAccount } from '../../test/support/service.ts';
import type { BenchPostgres } from '../lib/postgres.ts';

const today = '2026-11-17';

/** A year of days of the demo account, in which nobody pays. What they wrote is undone, so each time is the same. */
export async function openYear(postgres: BenchPostgres, days: number) {
  const { connection } = await postgres.createDatabase('year');
  const db = connect({ connection, poolSize: 4, timeoutMs: 300_000, onError: console.error });
  await migrate(db);
  const accountId = await newAccount({ db });
  const by = { permission: 'write', source: 'dashboard', actor: operator } as const;
  const caller = { accountId, currency: 'USD', timeZone: 'UTC', ...by };
  await fillWithDemo(db, caller, new Date(`${today}T12:00:00Z`));
  await db.query(raw('vacuum analyze'));
  await postgres.settle();

  async function turnAll(tx: Db): Promise<number[]> {
    const took: number[] = [];
    for (let count = 1; count <= days; count++) {
      const day = addDays(today, count);
      const started = performance.now();
      await turnDay(tx, accountId, day, new Date(`${day}T00:00:10Z`));
      took.push(performance.now() - started);
    }
    return took;
  }
  return {
    /** The whole time, and that of a day on which the rent of most leases is posted: the longest of each month. */
    async measure() {
      let took: number[] = [];
      const undone = new Error('All days were turned.');
      await db
        .transaction(async (tx) => {
          took = await turnAll(tx);
          throw undone;
        })
        .catch((error) => {
          if (error !== undone) throw error;
        });
      const months = Math.max(1, Math.round(days / 30.4));
      const longest = took.toSorted((a, b) => b - a).slice(0, months);
      const yearMs = took.reduce((sum, ms) => sum + ms, 0);
      return { yearMs, dayMs: longest[Math.floor(longest.length / 2)] ?? 0 };
    },
    close: () => db.close(),
  };
}
