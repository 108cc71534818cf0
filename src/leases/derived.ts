import type { Db } from '../db/connect.ts';
import { lockShown, type Shown, tellShown } from '../events/derived.ts';
import type { Writing } from '../events/writer.ts';
import { hasTurned, turnedThrough, turnedToday } from '../ledger/account-clocks.ts';
import { derivedOfTenants } from '../tenants/tenants.ts';
import { derivedOfUnits } from '../units/units.ts';
import { tellExpiring, tellStarting } from './lease-days.ts';
import type { LeaseRow } from './leases.columns.ts';

/*
 * Further events when leases are written: units and tenants change with them, and a lease may start on a day that has
 * already begun.
 */

interface Written extends Pick<LeaseRow, 'unit_id' | 'tenant_ids' | 'start_date' | 'end_date'> {
  id: string;
}

interface BeforeWriting {
  leases: Map<string, Written>;
  units: Shown;
  tenants: Shown;
}

/** What the units and tenants of these leases show before the leases are written. */
export async function lockBeforeWriting(
  tx: Db,
  how: Writing,
  written: Written[],
  leases: Map<string, Written> = new Map(),
): Promise<BeforeWriting> {
  const concerned = written.flatMap((lease) => [lease, leases.get(lease.id) ?? lease]);
  const unitIds = [...new Set(concerned.map(({ unit_id }) => unit_id))];
  const tenantIds = [...new Set(concerned.flatMap(({ tenant_ids }) => tenant_ids))];
  // What the last events said: at the beginning of a day, the clock may not have recorded that day's changes yet.
  const day = await turnedToday(tx, how);
  return {
    leases,
    units: await lockShown(tx, derivedOfUnits, how.accountId, unitIds, day),
    tenants: await lockShown(tx, derivedOfTenants, how.accountId, tenantIds, day),
  };
}

/** Records the events once the leases are written. */
export async function tellAfterWriting(
  tx: Db,
  how: Writing,
  written: Written[],
  before: BeforeWriting,
): Promise<void> {
  await tellShown(tx, how, derivedOfUnits, before.units);
  await tellShown(tx, how, derivedOfTenants, before.tenants);
  await tellBegunDays(tx, how, written, before.leases);
}

/** The clock has already recorded these days' events, without these leases. */
async function tellBegunDays(
  tx: Db,
  how: Writing,
  written: Written[],
  before: Map<string, Written>,
): Promise<void> {
  const { accountId, today } = how;
  const withNew = (date: 'start_date' | 'end_date') =>
    written.filter((lease) => lease[date] !== before.get(lease.id)?.[date]).map(({ id }) => id);
  const [starting, ending] = [withNew('start_date'), withNew('end_date')];
  if (!how.events || starting.length + ending.length === 0 || !(await hasTurned(tx, accountId, today)))
    return;
  // After a move to a time zone further west, some future days have already been turned.
  const days = { from: today, to: (await turnedThrough(tx, accountId)) ?? today };
  await tellStarting(tx, how, { ...days, among: starting });
  await tellExpiring(tx, how, { ...days, among: ending });
}
