import type { Db } from '../db/connect.ts';
import { type Chunk, eachChunk } from '../db/records/id-chunks.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { type Derived, lockShown, tellShown } from '../events/derived.ts';
import { recordRows, type Writing } from '../events/writer.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { derivedOfTenants } from '../tenants/tenants.ts';
import { derivedOfUnits } from '../units/units.ts';
import * as store from './lease-days.store.ts';
import { leaseShape, selectLeases } from './leases.store.ts';

/** Records which units and tenants change because leases start, end or are under notice from today on. */
export async function tellChangedByLeases(tx: Db, how: Writing): Promise<void> {
  const { accountId, today } = how;
  const tellOf = (derived: Derived, find: typeof store.findUnitsConcerned) =>
    eachChunk(
      (chunk) => find(tx, accountId, today, chunk),
      async (ids) =>
        tellShown(tx, how, derived, await lockShown(tx, derived, accountId, ids, addDays(today, -1))),
    );
  await tellOf(derivedOfUnits, store.findUnitsConcerned);
  await tellOf(derivedOfTenants, store.findTenantsConcerned);
}

export const tellStarting = (tx: Db, how: Writing, days: store.Days): Promise<void> =>
  tellLeases(tx, how, 'lease.started', (chunk) => store.findStarting(tx, how.accountId, days, chunk));

export const tellExpiring = (tx: Db, how: Writing, days: store.Days): Promise<void> =>
  tellLeases(tx, how, 'lease.expiring', (chunk) => store.findExpiring(tx, how.accountId, days, chunk));

function tellLeases(
  tx: Db,
  how: Writing,
  event: SubscribableEvent,
  find: (chunk: Chunk) => Promise<string[]>,
): Promise<void> {
  const shape = leaseShape(how.accountId, how.today);
  return eachChunk(find, (ids) =>
    recordRows(tx, how, {
      shape,
      rows: selectLeases(how.accountId, ids),
      count: ids.length,
      events: [event],
    }),
  );
}
