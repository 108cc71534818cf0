import type { Db } from '../db/connect.ts';
import { type Chunk, eachChunk, everything } from '../db/records/id-chunks.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { type Derived, lockShown, tellShown } from '../events/derived.ts';
import { recordRows, type Writing } from '../events/writer.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { derivedOfTenants } from '../tenants/tenants.ts';
import { derivedOfUnits } from '../units/units.ts';
import * as store from './lease-days.store.ts';
import { leaseShape, selectLeases } from './leases.store.ts';

type Find = typeof store.findStarting;

/** Records which units and tenants change because leases start, end or are under notice from today on. */
export async function tellChangedByLeases(tx: Db, how: Writing): Promise<void> {
  const days = { from: how.today, to: how.today };
  await eachFound(tx, how, store.findUnitsConcerned, days, (ids) =>
    tellChanged(tx, how, derivedOfUnits, ids),
  );
  await eachFound(tx, how, store.findTenantsConcerned, days, (ids) =>
    tellChanged(tx, how, derivedOfTenants, ids),
  );
}

export const tellStarting = (tx: Db, how: Writing, days: store.Days): Promise<void> =>
  eachFound(tx, how, store.findStarting, days, (ids) => tellLeases(tx, how, ids, 'lease.started'));

export const tellExpiring = (tx: Db, how: Writing, days: store.Days): Promise<void> =>
  eachFound(tx, how, store.findExpiring, days, (ids) => tellLeases(tx, how, ids, 'lease.expiring'));

const eachFound = (
  tx: Db,
  how: Writing,
  find: Find,
  days: store.Days,
  tell: (ids: string[]) => Promise<void>,
): Promise<void> =>
  eachChunk(async (chunk: Chunk) => {
    const found = await find(tx, how.accountId, days, chunk);
    return [...new Set(found.map(({ id }) => id))];
  }, tell);

async function tellLeases(tx: Db, how: Writing, ids: string[], event: SubscribableEvent): Promise<void> {
  if (ids.length === 0) return;
  await recordRows(tx, how, {
    shape: leaseShape(how.accountId, how.today),
    rows: selectLeases(how.accountId, ids),
    count: ids.length,
    events: [event],
  });
}

async function tellChanged(tx: Db, how: Writing, derived: Derived, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tellShown(tx, how, derived, await lockShown(tx, derived, how.accountId, ids, addDays(how.today, -1)));
}

/** What leases do on a day: those that start or expire, and the units and tenants that may change, as their ids. */
export type LeasesOfDay = Record<'starting' | 'expiring' | 'units' | 'tenants', string[]>;

/** What they do on each of these days. There must be few. */
export async function findLeasesByDay(
  tx: Db,
  accountId: string,
  days: store.Days,
): Promise<Map<string, LeasesOfDay>> {
  const byDay = new Map<string, LeasesOfDay>();
  const note = async (what: keyof LeasesOfDay, find: Find) => {
    for (const { id, day } of await find(tx, accountId, days, everything)) {
      const leases = byDay.get(day) ?? { starting: [], expiring: [], units: [], tenants: [] };
      leases[what].push(id);
      byDay.set(day, leases);
    }
  };
  await note('starting', store.findStarting);
  await note('expiring', store.findExpiring);
  await note('units', store.findUnitsConcerned);
  await note('tenants', store.findTenantsConcerned);
  return byDay;
}

/** Records what leases do on a day, if anything: tellStarting(), tellExpiring() and tellChangedByLeases() in one. */
export async function tellLeasesOf(tx: Db, how: Writing, leases?: LeasesOfDay): Promise<void> {
  if (leases === undefined) return;
  await tellLeases(tx, how, leases.starting, 'lease.started');
  await tellLeases(tx, how, leases.expiring, 'lease.expiring');
  await tellChanged(tx, how, derivedOfUnits, leases.units);
  await tellChanged(tx, how, derivedOfTenants, leases.tenants);
}
