import { newRow } from '../db/records/columns.ts';
import { writing } from '../events/writer.ts';
import { formatId } from '../ids.ts';
import { leases } from '../leases/leases.columns.ts';
import { LeaseCreate } from '../leases/leases.schema.ts';
import { leaseWriter } from '../leases/leases.ts';
import { findDeposits } from '../ledger/charges/charges.ts';
import { RecurringChargeCreate } from '../ledger/recurring/recurring.schema.ts';
import { makeRecurring } from '../ledger/recurring/recurring.ts';
import { addDays, nextMonth } from '../ledger/rules/calendar.ts';
import { scheduledCharges, type Terms } from '../ledger/rules/schedule.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import { NewTenant } from '../tenants/tenants.schema.ts';
import { tenantWriter } from '../tenants/tenants.ts';
import { firstNames, lastNames } from './names.ts';
import { payAndLeave, payRent } from './payers.ts';
import type { Demo, DemoUnit, Stay } from './telling.ts';

/** One lease after another over two years, with gaps between them. The last one is usually still running. */
export function rentOut(demo: Demo, unit: DemoUnit): Stay[] {
  const { dice, today } = demo;
  const stays: Stay[] = [];
  // Starts are spread out, because otherwise all two-year agreements would end within these weeks.
  let start = addDays(today, -730 + dice.between(-150, 150));
  if (dice.happens(0.05)) return stays; // never found a tenant
  while (start < today) {
    const term = addDays(start, 364);
    const leaves = dice.happens(0.28);
    const stayed = !leaves && term < today;
    const rent = roundRent(unit.market_rent_cents * (0.94 + dice.roll() * 0.1));
    const renewed = stayed && dice.happens(0.5);
    const end = leaves ? term : addDays(start, dice.pick([364, 546, 729]));
    const terms = {
      start_date: start,
      // After its renewal, a stay continues month to month.
      end_date: stayed ? (renewed && addDays(term, 365) >= today ? addDays(term, 365) : null) : end,
      rent_cents: rent,
      // A renewal raises the rent.
      rent_changes: renewed ? [{ from: nextMonth(term), rent_cents: roundRent(rent * 1.04) }] : [],
    };
    const staysOn = stayed || end >= today;
    stays.push(agree(demo, unit, terms, staysOn ? payRent : (...of) => payAndLeave(...of, end)));
    if (staysOn) return stays;
    start = addDays(end, dice.between(6, 50));
  }
  if (dice.happens(0.5)) {
    const terms = {
      start_date: addDays(today, dice.between(5, 40)),
      end_date: null,
      rent_cents: unit.market_rent_cents,
      rent_changes: [],
    };
    // Nobody has paid anything yet.
    stays.push(agree(demo, unit, terms, () => undefined));
  }
  return stays;
}

const roundRent = (cents: number): number => Math.round(cents / 500) * 500;

type Agreed = Pick<Terms, 'start_date' | 'rent_cents' | 'rent_changes'> & { end_date: string | null };

function agree(demo: Demo, unit: DemoUnit, agreed: Agreed, then: Stay['then']): Stay {
  const { caller, today, dice } = demo;
  const tenant_ids = people(demo);
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
  const input = LeaseCreate.parse(body);
  const row = newRow(leases, { ...input, currency: caller.currency });
  demo.leases.push({ ...row, tenant_ids: input.tenant_ids });
  return {
    leaseId: formatId('lease', row.id),
    tenantId: tenant_ids[0] ?? '',
    method: dice.pick(['bank_transfer', 'bank_transfer', 'online', 'card', 'check', 'cash']),
    terms: { ...terms, until: end === null ? null : addDays(end, 1) },
    deposit: null,
    extra: null,
    then,
  };
}

/** Writes everything that was agreed, all of it together, as an import does. Then the tenants pay. */
export async function moveIn(demo: Demo, stays: Stay[]): Promise<void> {
  const { db, caller, now, counts } = demo;
  const how = writing(caller, now);
  counts.tenants += demo.tenants.length;
  counts.leases += demo.leases.length;
  if (demo.tenants.length > 0) await tenantWriter.add(db, how, demo.tenants.splice(0));
  const ids = demo.leases.map(({ id }) => id);
  if (ids.length > 0) await leaseWriter.add(db, how, demo.leases.splice(0));
  const deposits = new Map(
    (await findDeposits(db, caller.accountId, ids)).map((deposit) => [
      formatId('lease', deposit.lease_id),
      deposit,
    ]),
  );
  for (const stay of stays) {
    const settled = { ...stay, deposit: deposits.get(stay.leaseId) ?? null };
    stay.then(demo, { ...settled, extra: await addExtra(demo, settled) });
  }
}

function people({ dice, tenants: made }: Demo): string[] {
  const ids: string[] = [];
  for (let count = dice.happens(0.3) ? 2 : 1; count > 0; count--) {
    const first_name = dice.pick(firstNames);
    const last_name = dice.pick(lastNames);
    const email = `${first_name}.${last_name}${dice.between(1, 99)}@example.com`.toLowerCase();
    const phone = `+1 555 ${dice.between(200, 999)} ${String(dice.between(0, 9999)).padStart(4, '0')}`;
    const row = newRow(tenants, NewTenant.parse({ first_name, last_name, email, phone }));
    made.push(row);
    ids.push(formatId('ten', row.id));
  }
  return ids;
}

const extras = [
  { kind: 'parking', amount_cents: 7_500 },
  { kind: 'parking', amount_cents: 7_500 },
  { kind: 'pet', amount_cents: 3_500 },
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
