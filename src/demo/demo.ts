import type { Caller } from '../caller.ts';
import { dateOf, days, todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { LeaseCreate } from '../leases/leases.schema.ts';
import { makeLease } from '../leases/leases.ts';
import { MaintenanceCreate } from '../maintenance/maintenance.schema.ts';
import { requestMaintenance } from '../maintenance/maintenance.ts';
import { PaymentCreate, type PaymentInput } from '../payments/payments.schema.ts';
import { recordPayment } from '../payments/payments.ts';
import { PropertyCreate } from '../properties/properties.schema.ts';
import { addProperty } from '../properties/properties.ts';
import { TenantCreate } from '../tenants/tenants.schema.ts';
import { addTenant } from '../tenants/tenants.ts';
import { UnitCreate } from '../units/units.schema.ts';
import { addUnit } from '../units/units.ts';
import { createDice, type Dice } from './dice.ts';
import { demoProperties, firstNames, lastNames, repairs, trades } from './names.ts';

/** What a demo made. */
export interface DemoCounts {
  properties: number;
  units: number;
  tenants: number;
  leases: number;
  payments: number;
  maintenance_requests: number;
}

interface DemoUnit {
  id: string;
  property_id: string;
  market_rent_cents: number;
}

interface Demo {
  db: Db;
  caller: Caller;
  now: Date;
  /** Midnight (UTC) of the account's today: dates are counted from it. */
  today: Date;
  dice: Dice;
  counts: DemoCounts;
  /** Collected first, then recorded in the order of their dates, as in real life. */
  payments: PaymentInput[];
}

/** Two years in the life of a small landlord, made with the same verbs that the API uses. */
export async function fillWithDemo(db: Db, caller: Caller, now: Date): Promise<DemoCounts> {
  const counts = { properties: 0, units: 0, tenants: 0, leases: 0, payments: 0, maintenance_requests: 0 };
  await db.transaction(async (tx) => {
    const today = new Date(todayIn(caller.timeZone, now));
    const demo: Demo = { db: tx, caller, now, today, dice: createDice(20_26), counts, payments: [] };
    for (const property of demoProperties) {
      const units = await buildProperty(demo, property);
      for (const unit of units) await rentOut(demo, unit);
      await breakThings(demo, units);
    }
    await recordPayments(demo);
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

/** Makes one lease after another over two years, with gaps between them. The last one usually still runs. */
async function rentOut(demo: Demo, unit: DemoUnit): Promise<void> {
  const { dice, today } = demo;
  let start = addDays(today, -730 + dice.between(-40, 60));
  if (dice.happens(0.05)) return; // never found a tenant
  while (start < today) {
    const term = addDays(start, 364);
    const leaves = dice.happens(0.28);
    const monthToMonth = !leaves && term < today;
    const rent = Math.round((unit.market_rent_cents * (0.94 + dice.roll() * 0.1)) / 500) * 500;
    const end = leaves ? term : monthToMonth ? null : addDays(start, dice.pick([364, 546, 729]));
    const lease = await moveIn(demo, unit, { start, end, rent });
    payRent(demo, lease, { start, end: end ?? today, rent });
    if (end === null || end >= today) return;
    start = addDays(end, dice.between(6, 50));
  }
  if (dice.happens(0.5))
    await moveIn(demo, unit, {
      start: addDays(today, dice.between(5, 40)),
      end: null,
      rent: unit.market_rent_cents,
    });
}

interface Stay {
  start: Date;
  end: Date | null;
  rent: number;
}

async function moveIn(
  { db, caller, now, today, dice, counts }: Demo,
  unit: DemoUnit,
  { start, end, rent }: Stay,
): Promise<string[]> {
  const people = dice.happens(0.3) ? 2 : 1;
  const tenantIds: string[] = [];
  for (let index = 0; index < people; index++) {
    const first_name = dice.pick(firstNames);
    const last_name = dice.pick(lastNames);
    const email = `${first_name}.${last_name}${dice.between(1, 99)}@example.com`.toLowerCase();
    const phone = `+1 555 ${dice.between(200, 999)} ${String(dice.between(0, 9999)).padStart(4, '0')}`;
    const tenant = await addTenant(
      db,
      caller,
      TenantCreate.parse({ first_name, last_name, email, phone }),
      now,
    );
    tenantIds.push((JSON.parse(tenant) as { id: string }).id);
  }
  const endsSoon = end !== null && end > now && end < addDays(now, 60);
  const noticeGiven =
    start < now && ((endsSoon && dice.happens(0.6)) || (end === null && dice.happens(0.04)));
  const body = {
    unit_id: unit.id,
    tenant_ids: tenantIds,
    start_date: dateOf(start),
    end_date: end && dateOf(end),
    rent_cents: rent,
    deposit_cents: rent,
    due_day: dice.pick([1, 1, 1, 5, 15]),
    notice_given_on: noticeGiven ? dateOf(addDays(today, -dice.between(2, 25))) : null,
  };
  await makeLease(db, caller, LeaseCreate.parse(body), now);
  counts.tenants += people;
  counts.leases += 1;
  return tenantIds;
}

/** Makes rent payments month by month: mostly on time, sometimes late, now and then failed. */
function payRent({ today, dice, payments }: Demo, tenantIds: string[], { start, end, rent }: Stay): void {
  const method = dice.pick(['bank_transfer', 'bank_transfer', 'online', 'card', 'check', 'cash']);
  for (let month = start; month <= (end ?? today); month = nextMonth(month)) {
    const paidOn = addDays(month, dice.happens(0.12) ? dice.between(6, 20) : dice.between(0, 4));
    if (paidOn > today) return;
    const recent = paidOn > addDays(today, -8);
    const status = recent && dice.happens(0.3) ? 'pending' : dice.pick(outcomes);
    const body = {
      tenant_id: tenantIds[0],
      amount_cents: rent,
      paid_on: dateOf(paidOn),
      period: dateOf(month).slice(0, 7),
      method,
      status,
      reference: method === 'check' ? `Check ${dice.between(1000, 9999)}` : null,
    };
    payments.push(PaymentCreate.parse(body));
  }
}

async function recordPayments({ db, caller, now, counts, payments }: Demo): Promise<void> {
  payments.sort((a, b) => (a.paid_on ?? '').localeCompare(b.paid_on ?? ''));
  for (const payment of payments) await recordPayment(db, caller, payment, now);
  counts.payments += payments.length;
}

/** About one payment in fifty does not stay paid. */
const outcomes = [...Array.from({ length: 98 }, () => 'paid'), 'returned', 'failed'];

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
      scheduled_for: status === 'scheduled' ? addDays(now, dice.between(1, 14)).toISOString() : null,
      due_on: done ? null : dateOf(addDays(today, dice.between(-5, 30))),
      cost_cents: done ? repair.cost : null,
      resolution: done ? 'Repaired and checked with the tenant.' : null,
    };
    await requestMaintenance(db, caller, MaintenanceCreate.parse(body), now);
    counts.maintenance_requests += 1;
  }
}

const addDays = (time: Date, count: number): Date => new Date(time.getTime() + days(count));

function nextMonth(time: Date): Date {
  const next = new Date(time);
  next.setUTCMonth(next.getUTCMonth() + 1, Math.min(time.getUTCDate(), 28));
  return next;
}
