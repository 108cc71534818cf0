import { changeAccount } from '../accounts/accounts.ts';
import type { Caller } from '../caller.ts';
import { days, todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { writing } from '../events/writer.ts';
import { freshen } from '../ledger/freshen.ts';
import { addDays } from '../ledger/rules/calendar.ts';
import { MaintenanceCreate } from '../maintenance/maintenance.schema.ts';
import { requestMaintenance } from '../maintenance/maintenance.ts';
import { payments } from '../payments/payments.columns.ts';
import { paymentWriter } from '../payments/payments.ts';
import { PropertyCreate } from '../properties/properties.schema.ts';
import { addProperty } from '../properties/properties.ts';
import { UnitCreate } from '../units/units.schema.ts';
import { addUnit } from '../units/units.ts';
import { createDice } from './dice.ts';
import { demoProperties, repairs, trades } from './names.ts';
import { lateFees } from './payers.ts';
import { moveIn, rentOut } from './stays.ts';
import { type Demo, type DemoCounts, type DemoUnit, stories } from './telling.ts';

/** Two years in the life of a small landlord, made with the same verbs that the API uses. */
export async function fillWithDemo(db: Db, caller: Caller, now: Date): Promise<DemoCounts> {
  const counts = { properties: 0, units: 0, tenants: 0, leases: 0, payments: 0, maintenance_requests: 0 };
  await db.transaction(async (tx) => {
    const demo: Demo = {
      db: tx,
      caller,
      now,
      today: todayIn(caller.timeZone, now),
      dice: createDice(20_26),
      counts,
      tenants: [],
      leases: [],
      payments: [],
      afterwards: [],
      stories: [...stories],
      formerOwing: 2,
    };
    for (const property of demoProperties) {
      const units = await buildProperty(demo, property);
      await moveIn(
        demo,
        units.flatMap((unit) => rentOut(demo, unit)),
      );
      await breakThings(demo, units);
    }
    await recordPayments(demo);
    for (const step of demo.afterwards) await step();
    await chargeLateFees(demo);
  });
  return counts;
}

async function buildProperty(
  { db, caller, now, dice, counts }: Demo,
  property: (typeof demoProperties)[number],
): Promise<DemoUnit[]> {
  const units = Array.from({ length: property.units }, (_, index) => {
    const bedrooms = property.units === 1 ? 4 : dice.between(0, 3);
    return {
      name: property.units === 1 ? 'House' : `${Math.floor(index / 4) + 1}${'ABCD'[index % 4]}`,
      bedrooms,
      bathrooms: dice.pick([1, 1, 1.5, 2]),
      area_sqft: 420 + bedrooms * 230 + dice.between(0, 120),
      market_rent_cents: Math.round((property.rent * (0.8 + bedrooms * 0.22)) / 500) * 500,
      offline: property.units > 4 && dice.happens(0.02),
    };
  });
  const created = await addProperty(
    db,
    caller,
    PropertyCreate.parse({
      name: property.name,
      type: property.type,
      address: property.address,
      city: 'Riverton',
      state: 'OR',
      postal_code: `97${dice.between(100, 999)}`,
      country: 'US',
      year_built: property.built,
    }),
    now,
  );
  counts.properties += 1;
  counts.units += units.length;
  const { id } = JSON.parse(created) as { id: string };
  const rentable: DemoUnit[] = [];
  for (const unit of units) {
    const body = UnitCreate.parse({ ...unit, property_id: id });
    const json = await addUnit(db, caller, body, now);
    if (!unit.offline) rentable.unshift(JSON.parse(json));
  }
  return rentable;
}

/** How many payments are written at a time, as by an import. */
const paymentsAtOnce = 500;

async function recordPayments({ db, caller, now, counts, payments: inputs, today }: Demo): Promise<void> {
  inputs.sort((a, b) => (a.paid_on ?? '').localeCompare(b.paid_on ?? ''));
  const { currency, source } = caller;
  const rows = inputs.map((input) =>
    newRow(payments, { ...input, paid_on: input.paid_on ?? today, source, lease_given: false }),
  );
  for (let at = 0; at < rows.length; at += paymentsAtOnce)
    await paymentWriter.add(db, { ...writing(caller, now), currency }, rows.slice(at, at + paymentsAtOnce));
  counts.payments += rows.length;
}

/**
 * The policy was set before the first lease began. It is entered at the end, so that nobody is charged a late fee for
 * rent whose payment is not recorded yet.
 */
async function chargeLateFees({ db, caller, now }: Demo): Promise<void> {
  await changeAccount(db, caller, { late_fees: lateFees }, new Date(now.getTime() - days(1000)));
  await freshen(db, writing(caller, now));
}

async function breakThings({ db, caller, now, today, dice, counts }: Demo, units: DemoUnit[]): Promise<void> {
  const count = Math.ceil(units.length * 0.5);
  for (let index = 0; index < count; index++) {
    const unit = dice.pick(units);
    const repair = dice.pick(repairs);
    const status = dice.pick([
      'completed',
      'completed',
      'completed',
      'open',
      'open',
      'scheduled',
      'in_progress',
      'on_hold',
      'cancelled',
    ]);
    const done = status === 'completed';
    const body = {
      property_id: unit.property_id,
      unit_id: unit.id,
      title: repair.title,
      category: repair.category,
      priority: dice.pick(['low', 'medium', 'medium', 'medium', 'high', 'emergency']),
      status,
      assigned_to: status === 'open' ? null : dice.pick(trades),
      scheduled_for:
        status === 'scheduled' ? new Date(now.getTime() + days(dice.between(1, 14))).toISOString() : null,
      due_on: done ? null : addDays(today, dice.between(-5, 30)),
      cost_cents: done ? repair.cost : null,
      resolution: done ? 'Repaired and checked with the tenant.' : null,
    };
    await requestMaintenance(db, caller, MaintenanceCreate.parse(body), now);
    counts.maintenance_requests += 1;
  }
}
