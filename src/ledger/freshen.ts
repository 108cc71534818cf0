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
  const dueOn = await store.findFinedDueDays(tx, how.accountId, day);
  if (dueOn?.length === 0) return;
  const yesterday = addDays(day, -1);
  const days = { from: yesterday, to: yesterday, dueOn };
  let after: string | null = null;
  for (;;) {
    const late: LateLease[] = await store.findLate(tx, how.accountId, days, after, atOnce);
    if (late.length === 0) return;
    const policies = await policiesFor(tx, how.accountId, late.map(idOf));
    // Policies differ between leases and change over time.
    const fined = late.filter(({ id, property_id, due_on }) => {
      const policyFor = policies(id, property_id);
      return due_on.some((each) => mayFall(policyFor?.(each) ?? null, each, day));
    });
    await recalculate(tx, how, fined.map(idOf));
    if (late.length < atOnce) return;
    after = late.at(-1)?.id ?? null;
  }
}

const idOf = ({ id }: LateLease): string => id;
