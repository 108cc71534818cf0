import { clock } from '../caller.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { eachChunk } from '../db/records/id-chunks.ts';
import type { Writing } from '../events/writer.ts';
import { inTimeOf } from '../ledger/account-clocks.ts';
import { reschedule } from '../ledger/posting/schedule.ts';
import { chooseLeasesAgain } from '../payments/payment-leases.ts';
import { paymentWriter } from '../payments/payments.ts';
import * as store from './adopt.store.ts';

/*
 * While processes are upgraded one after the other, some may still run the release before the ledger. Leases that they
 * make charge nothing, payments that they reverse lack the day of it, and nothing recalculates what they change. The
 * first two are corrected within a minute. After a day, when those processes are gone, all leases are checked once.
 */

/** Corrects what older processes wrote. */
export async function adoptWrites(db: Db, now: Date): Promise<void> {
  for (const { account_id, ids } of await store.findWithoutDay(db))
    await inAccount(db, account_id, now, async (tx, how) => {
      const rows = await paymentWriter.find(tx, account_id, ids, true);
      const missing = rows.filter(({ reversed_on }) => reversed_on === null);
      const before = new Map(missing.map((row) => [row.id, row]));
      // The writer fills in the missing day.
      const changed = missing.map((row) => ({ ...row }));
      if (changed.length > 0) await paymentWriter.change(tx, how, changed, before);
    });
  for (const { account_id, ids } of await store.findUnscheduled(db))
    await inAccount(db, account_id, now, (tx, how) => adoptLeases(tx, how, ids));
  for (const accountId of await store.findAdopted(db, now)) {
    await eachChunk(
      (chunk) => store.findLeases(db, accountId, chunk),
      (ids) => inAccount(db, accountId, now, (tx, how) => adoptLeases(tx, how, ids)),
    );
    await store.endAdopting(db, accountId);
  }
}

/** Works on one account at a time, and not while its day is being turned. */
function inAccount(
  db: Db,
  accountId: string,
  now: Date,
  work: (tx: Db, how: Writing & { currency: string }) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    const { time_zone, currency } = await store.takeAccount(tx, accountId);
    await inTimeOf(tx, accountId, now, (at) =>
      work(tx, { accountId, actor: clock, now: at, today: todayIn(time_zone, at), events: true, currency }),
    );
  });
}

/** Handles their payments and charges as if the leases had just been changed. */
async function adoptLeases(tx: Db, how: Writing, ids: string[]): Promise<void> {
  await chooseLeasesAgain(tx, how, await store.findTenantsOf(tx, how.accountId, ids));
  await reschedule(tx, how, ids);
}
