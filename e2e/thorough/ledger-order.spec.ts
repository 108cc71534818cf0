import type { Page } from '@playwright/test';
import { sql } from '../../src/db/sql.ts';
import { parseId } from '../../src/ids.ts';
import { withDatabase } from '../database.ts';
import { expect, test, walkTo } from '../fixtures.ts';
import type { Person } from '../people.ts';
import { scale } from '../scale.ts';

/*
 * The same facts about three flats. Those of one are entered through the API in the order in which they happened, those
 * of the others through the pages, in two other orders. All three flats must end with the same ledger.
 */

interface Named {
  id: string;
  name: string;
}
interface Flat {
  unit: string;
  tenant: Named;
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

/**
 * No two charges fall due on the same day, since charges of one day are paid in the order in which they were entered.
 */
const facts = {
  lease: {
    start_date: day(-70),
    ledger_from: day(-70),
    due_day: Math.min(28, Number(day(-70).slice(8))),
    rent_cents: 100_000,
    opening_balance_cents: 5_000,
    proration: 'none',
  },
  charge: { kind: 'utility', amount_cents: 6_000, due_on: day(-20), memo: 'Water' },
  recurring: { kind: 'parking', amount_cents: 3_000, every: 'month', starts_on: day(-30) },
  credit: { reason: 'concession', amount_cents: 2_500, credited_on: day(-25) },
  inTime: { amount_cents: 105_000, paid_on: day(-69), method: 'bank_transfer' },
  late: { amount_cents: 80_000, paid_on: day(-18), method: 'bank_transfer' },
};
type Fact = keyof typeof facts;

const dialog = (page: Page) => page.getByRole('dialog');
const amount = (cents: number) => String(cents / 100);

/** Enters the facts through the pages. */
function byHand(page: Page, { unit, tenant }: Flat, property: Named): Record<Fact, () => Promise<void>> {
  let lease = '';
  const inDialog = async (path: string, open: string, fill: () => Promise<void>, done: RegExp) => {
    await walkTo(page, path);
    await page.getByRole('button', { name: open, exact: true }).click();
    await fill();
    await dialog(page).locator('button[type=submit]').click();
    await expect(dialog(page)).toBeHidden();
    // On a slow machine, what was said of the last one is still there.
    await expect(page.getByText(done).last()).toBeVisible();
  };
  const pay = ({ amount_cents, paid_on }: { amount_cents: number; paid_on: string }) =>
    inDialog(
      `/tenants/${tenant.id}`,
      'Record payment',
      async () => {
        await dialog(page).getByLabel('Paid on').fill(paid_on);
        await dialog(page).getByLabel('Amount').fill(amount(amount_cents));
      },
      /recorded$/,
    );
  return {
    lease: async () => {
      const { start_date, ledger_from, due_day, rent_cents, opening_balance_cents, proration } = facts.lease;
      await page.goto(`/leases/new?property_id=${property.id}&tenant_id=${tenant.id}`);
      await page.getByRole('combobox', { name: 'Unit', exact: true }).fill(unit);
      // Before that, the options of an empty text are listed, and they move while the pointer is on them.
      await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(1);
      await page.getByRole('option', { name: unit }).click();
      await page.getByText('Partial months, opening balance').click();
      await page.getByLabel('Start').fill(start_date);
      await page.getByLabel('Monthly rent').fill(amount(rent_cents));
      await page.getByLabel('Rent due on day').fill(String(due_day));
      await page.getByLabel('Partial first and last month').selectOption(proration);
      await page.getByLabel('Ledger begins on').fill(ledger_from);
      await page.getByLabel('Opening balance').fill(amount(opening_balance_cents));
      await page.getByRole('button', { name: 'Add lease' }).click();
      await expect(page.getByText('Lease added')).toBeVisible();
      await expect(page).toHaveURL(/\/leases\/lease_/);
      lease = new URL(page.url()).pathname;
    },
    charge: () =>
      inDialog(
        lease,
        'Charge',
        async () => {
          await dialog(page).getByLabel('For').selectOption(facts.charge.kind);
          await dialog(page).getByLabel('Amount').fill(amount(facts.charge.amount_cents));
          await dialog(page).getByLabel('Due on').fill(facts.charge.due_on);
          await dialog(page).getByLabel('Memo').fill(facts.charge.memo);
        },
        /^Charge added/,
      ),
    recurring: () =>
      inDialog(
        lease,
        'Add recurring charge',
        async () => {
          await dialog(page).getByLabel('For').selectOption(facts.recurring.kind);
          await dialog(page).getByLabel('Amount').fill(amount(facts.recurring.amount_cents));
          await dialog(page).getByLabel('First due on').fill(facts.recurring.starts_on);
        },
        /^Recurring charge added/,
      ),
    credit: () =>
      inDialog(
        lease,
        'Credit',
        async () => {
          await dialog(page).getByLabel('Amount').fill(amount(facts.credit.amount_cents));
          await dialog(page).getByLabel('Counts from').fill(facts.credit.credited_on);
        },
        /^Credit added/,
      ),
    inTime: () => pay(facts.inTime),
    late: () => pay(facts.late),
  };
}

async function byApi(owner: Person, units: Named[], { unit, tenant }: Flat): Promise<void> {
  const { id: lease_id } = await owner.post<Named>('/leases', {
    ...facts.lease,
    unit_id: units.find(({ name }) => name === unit)?.id,
    tenant_ids: [tenant.id],
  });
  await owner.post('/payments', { ...facts.inTime, tenant_id: tenant.id });
  await owner.post('/recurring-charges', { ...facts.recurring, lease_id });
  await owner.post('/credits', { ...facts.credit, lease_id });
  await owner.post('/charges', { ...facts.charge, lease_id });
  await owner.post('/payments', { ...facts.late, tenant_id: tenant.id });
}

interface Share {
  id: string;
  amount_cents: number;
}
interface Line extends Share {
  date: string;
  type: string;
  description: string;
  increase_cents: number;
  decrease_cents: number;
  pays: Share[];
  paid_by: Share[];
}

/** What can be compared between flats: no ids or names, and the entries of one day in any order. */
async function ledgerOf(owner: Person, { tenant }: Flat) {
  const [lease] = await owner.get<Named[]>(`/leases?tenant_id=${tenant.id}`);
  const { entries, closing_balance_cents } = await owner.get<{
    entries: Line[];
    closing_balance_cents: number;
  }>(`/leases/${lease?.id}/ledger`);
  const nameOf = ({ date, description }: Line) => `${date} ${description.replace(tenant.name, 'the tenant')}`;
  const names = new Map(entries.map((entry) => [entry.id, nameOf(entry)]));
  const shares = (some: Share[]) =>
    some.map(({ id, amount_cents }) => `${amount_cents} ${names.get(id)}`).sort();
  const lines = entries.map((entry) => ({
    entry: `${nameOf(entry)} ${entry.type} +${entry.increase_cents} -${entry.decrease_cents}`,
    pays: shares(entry.pays),
    paid_by: shares(entry.paid_by),
  }));
  return { closing_balance_cents, lines: lines.sort((a, b) => (a.entry < b.entry ? -1 : 1)) };
}

test('the same facts give the same ledger, in whatever order they are entered on the pages', async ({
  page,
  owner,
  service,
}) => {
  const late_fees = {
    grace_days: 3,
    first: { fixed_cents: 4_000 },
    daily: { percent_of_open: 1 },
    cap_cents: 9_000,
  };
  await owner.patch('/account', { late_fees });
  // It is backdated by a year, since a policy applies to what falls due after it was set.
  await withDatabase(service.dataDir, (db) =>
    db.query(sql`
      update late_fee_policies set set_on = set_on - 365 where account_id = ${parseId('acct', owner.accountId)}`),
  );
  const property = await owner.post<Named>('/properties', {
    name: 'Maple Court',
    units: [{ name: '1A' }, { name: '1B' }, { name: '1C' }],
  });
  const units = await owner.get<Named[]>(`/units?property_id=${property.id}`);
  const flat = async (unit: string, first_name: string): Promise<Flat> => {
    const { id } = await owner.post<Named>('/tenants', { first_name, last_name: 'Okafor' });
    return { unit, tenant: { id, name: `${first_name} Okafor` } };
  };
  const [first, second, third] = [await flat('1A', 'Ada'), await flat('1B', 'Ben'), await flat('1C', 'Cara')];

  await byApi(owner, units, first);
  const expected = await ledgerOf(owner, first);
  expect(expected.lines.filter(({ entry }) => entry.includes('Late fee')).length).toBeGreaterThan(2);

  const orders: [Flat, Fact[]][] = [
    [second, ['late', 'inTime', 'lease', 'credit', 'recurring', 'charge']],
    [third, ['lease', 'charge', 'recurring', 'late', 'credit', 'inTime']],
  ];
  for (const [into, order] of orders.slice(0, scale(2, 1)))
    await test.step(order.join(', '), async () => {
      const enter = byHand(page, into, property);
      for (const fact of order) await enter[fact]();
      expect(await ledgerOf(owner, into)).toEqual(expected);
    });
});
