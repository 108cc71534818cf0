import { parseId } from '../ids.ts';
import { LeaseCreate } from '../leases/leases.schema.ts';
import { makeLease } from '../leases/leases.ts';
import { depositOf } from '../ledger/charges/charges.ts';
import { RecurringChargeCreate } from '../ledger/recurring/recurring.schema.ts';
import { makeRecurring } from '../ledger/recurring/recurring.ts';
import { addDays, nextMonth } from '../ledger/rules/calendar.ts';
import { scheduledCharges, type Terms } from '../ledger/rules/schedule.ts';
import { TenantCreate } from '../tenants/tenants.schema.ts';
import { addTenant } from '../tenants/tenants.ts';
import { firstNames, lastNames } from './names.ts';
import { payAndLeave, payRent } from './payers.ts';
import type { Demo, DemoUnit, Stay } from './telling.ts';

/** Makes one lease after another over two years, with gaps between them. The last one usually still runs. */
export async function rentOut(demo: Demo, unit: DemoUnit): Promise<void> {
  const { dice, today } = demo;
  let start = addDays(today, -730 + dice.between(-40, 60));
  if (dice.happens(0.05)) return; // never found a tenant
  while (start < today) {
    const term = addDays(start, 364);
    const leaves = dice.happens(0.28);
    const stayed = !leaves && term < today;
    const rent = roundRent(unit.market_rent_cents * (0.94 + dice.roll() * 0.1));
    const renewed = stayed && dice.happens(0.5);
    const end = leaves ? term : addDays(start, dice.pick([364, 546, 729]));
    const stay = await moveIn(demo, unit, {
      start_date: start,
      end_date: stayed ? (renewed ? addDays(term, 365) : null) : end,
      rent_cents: rent,
      // A renewal raises the rent.
      rent_changes: renewed ? [{ from: nextMonth(term), rent_cents: roundRent(rent * 1.04) }] : [],
    });
    if (stayed || end >= today) {
      payRent(demo, stay);
      return;
    }
    payAndLeave(demo, stay, end);
    start = addDays(end, dice.between(6, 50));
  }
  if (dice.happens(0.5))
    await moveIn(demo, unit, {
      start_date: addDays(today, dice.between(5, 40)),
      end_date: null,
      rent_cents: unit.market_rent_cents,
      rent_changes: [],
    });
}

const roundRent = (cents: number): number => Math.round(cents / 500) * 500;

type Agreed = Pick<Terms, 'start_date' | 'rent_cents' | 'rent_changes'> & { end_date: string | null };

async function moveIn(demo: Demo, unit: DemoUnit, agreed: Agreed): Promise<Stay> {
  const { db, caller, now, today, dice, counts } = demo;
  const tenant_ids = await people(demo);
  const { start_date: start, end_date: end, rent_cents } = agreed;
  const endsSoon = end !== null && end > today && end < addDays(today, 60);
  const leaving = start < today && ((endsSoon && dice.happens(0.6)) || (end === null && dice.happens(0.04)));
  const terms = {
    ...agreed,
    deposit_cents: rent_cents,
    due_day: dice.pick([1, 1, 1, 5, 15]),
    proration: 'actual_days' as const,
    ledger_from: start,
  };
  const body = {
    ...terms,
    unit_id: unit.id,
    tenant_ids,
    notice_given_on: leaving ? addDays(today, -dice.between(2, 25)) : null,
  };
  const lease = JSON.parse(await makeLease(db, caller, LeaseCreate.parse(body), now)) as { id: string };
  counts.leases += 1;
  const stay: Stay = {
    leaseId: lease.id,
    tenantId: tenant_ids[0] ?? '',
    method: dice.pick(['bank_transfer', 'bank_transfer', 'online', 'card', 'check', 'cash']),
    terms: { ...terms, until: end === null ? null : addDays(end, 1) },
    deposit: await depositOf(db, caller.accountId, parseId('lease', lease.id) ?? ''),
    extra: null,
  };
  return { ...stay, extra: await addExtra(demo, stay) };
}

async function people({ db, caller, now, dice, counts }: Demo): Promise<string[]> {
  const ids: string[] = [];
  for (let count = dice.happens(0.3) ? 2 : 1; count > 0; count--) {
    const first_name = dice.pick(firstNames);
    const last_name = dice.pick(lastNames);
    const email = `${first_name}.${last_name}${dice.between(1, 99)}@example.com`.toLowerCase();
    const phone = `+1 555 ${dice.between(200, 999)} ${String(dice.between(0, 9999)).padStart(4, '0')}`;
    const body = TenantCreate.parse({ first_name, last_name, email, phone });
    const tenant = JSON.parse(await addTenant(db, caller, body, now)) as { id: string };
    ids.push(tenant.id);
    counts.tenants += 1;
  }
  return ids;
}

const extras = [
  { kind: 'parking', memo: 'Parking space', amount_cents: 7_500 },
  { kind: 'parking', memo: 'Parking space', amount_cents: 7_500 },
  { kind: 'pet', memo: 'Pet rent', amount_cents: 3_500 },
] as const;

/** Some have a parking space or a pet, from the second rent on. */
async function addExtra({ db, caller, now, today, dice }: Demo, stay: Stay): Promise<Stay['extra']> {
  const wanted = dice.happens(0.25);
  const extra = dice.pick(extras);
  const from = scheduledCharges(stay.terms, today).charges.filter(({ kind }) => kind === 'rent')[1]?.due_on;
  if (!wanted || from === undefined) return null;
  const body = RecurringChargeCreate.parse({ ...extra, lease_id: stay.leaseId, starts_on: from });
  await makeRecurring(db, caller, body, now);
  return { from, amount_cents: extra.amount_cents };
}
