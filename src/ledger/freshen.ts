import type { Db } from '../db/connect.ts';
import type { Writing } from '../events/writer.ts';
import type { LateLease } from './freshen.store.ts';
import * as store from './freshen.store.ts';
import { policiesFor } from './late-fee-policies.ts';
import { recalculate } from './recalculate.ts';
import { addDays } from './rules/calendar.ts';
import { mayFall } from './rules/late-fees.ts';

/** How many leases are recalculated in one transaction. */
const atOnce = 200;

/**
 * Recalculates the marked leases of an account (changes.ts) up to a day. Every reader of open amounts calls this
 * first. Usually there is nothing to do, because the worker calls it all the time.
 */
export async function freshen(db: Db, how: Writing, through = how.today): Promise<void> {
  while (await freshenSome(db, how, through));
}

/** Recalculates a batch of leases. Returns whether there was anything to do. */
export async function freshenSome(db: Db, how: Writing, through: string): Promise<boolean> {
  const marked = await store.findMarked(db, how.accountId, through, atOnce);
  if (marked.length === 0) return false;
  await db.transaction(async (tx) => {
    const taken = await store.takeMarks(tx, how.accountId, marked);
    // A read must not be refused because of late fees that it finds.
    const bounded = how.bounded === true && db.inTransaction;
    if (taken.length > 0) await recalculate(tx, { ...how, bounded }, taken);
  });
  return true;
}

/** Charges the late fees of a day, for rent that was open at the end of the previous day. */
export async function chargeLateFees(tx: Db, how: Writing, day: string): Promise<void> {
  await freshen(tx, how, day);
  for await (const leases of eachFined(tx, how.accountId, { from: day, to: day }))
    await recalculate(tx, how, leases);
}

/** Leases that may get a late fee on one of these days, some after the other, if their open amounts are up to date. */
export async function* eachFined(
  tx: Db,
  accountId: string,
  { from, to }: { from: string; to: string },
): AsyncGenerator<string[]> {
  const dueOn = await store.findFinedDueDays(tx, accountId, { from, to });
  if (dueOn?.length === 0) return;
  const days = { from: addDays(from, -1), to: addDays(to, -1), dueOn };
  let after: string | null = null;
  for (;;) {
    const late: LateLease[] = await store.findLate(tx, accountId, days, after, atOnce);
    if (late.length === 0) return;
    const policies = await policiesFor(tx, accountId, late.map(idOf));
    // Policies differ between leases and change over time.
    const fined = late.filter(({ id, property_id, due_on }) => {
      const policyFor = policies(id, property_id);
      return due_on.some((each) => mayFall(policyFor?.(each) ?? null, each, { from, to }));
    });
    yield fined.map(idOf);
    if (late.length < atOnce) return;
    after = late.at(-1)?.id ?? null;
  }
}

const idOf = ({ id }: LateLease): string => id;
