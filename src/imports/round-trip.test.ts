import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/support/browser.ts';
import { type CsvFiles, importAll, importCsv } from '../../test/support/csv.ts';
import { day, dumpOf, make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { parseId } from '../ids.ts';
import { recordKinds } from './kind.ts';

let service: Service;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
});
afterAll(() => service.close());

/** Everything that an account has, as CSV. */
async function exportOf(client: Pick<Client, 'get'>): Promise<CsvFiles> {
  const files = await Promise.all(
    recordKinds.map(async (kind) => [kind, (await client.get(`/${kind}`, { accept: 'text/csv' })).text]),
  );
  return Object.fromEntries(files);
}

/** The lists without what must differ: ids become what they stand for, and times are left out. */
async function comparable(client: Client): Promise<unknown> {
  const lists = await Promise.all(
    recordKinds.map(async (kind) => (await client.get(`/${kind}?limit=1000`)).body.data),
  );
  const [properties, units, tenants, leases, charges] = lists;
  const names = new Map<string, string>();
  for (const one of [...properties, ...units]) names.set(one.id, one.name);
  for (const one of tenants) names.set(one.id, `${one.first_name} ${one.last_name} ${one.email}`);
  for (const one of leases) names.set(one.id, `${names.get(one.unit_id)} ${one.start_date}`);
  for (const one of charges)
    names.set(one.id, `${names.get(one.lease_id)} ${one.kind} ${one.due_on} ${one.amount} ${one.memo}`);
  return lists.map((list) =>
    JSON.parse(JSON.stringify(list), (key, value) => {
      if (['created_at', 'updated_at', 'source', 'number'].includes(key)) return undefined;
      if (key === 'id') return names.get(value);
      return typeof value === 'string' ? (names.get(value) ?? value) : value;
    })
      .map((one: object) => JSON.stringify(one))
      .sort(),
  );
}

/** The terms that leases may have of their own for the ledger. */
const terms = [
  { ledger_from: day(-50), opening_balance_cents: -12_345, deposit_cents: 70_000 },
  { ledger_from: day(-40), opening_balance_cents: 99, proration: 'thirty_days' },
  { rent_changes: [20, 60].map((days) => ({ from: day(days), rent_cents: 1_000 + days })) },
  { late_fees: 'none' },
  {
    late_fees: {
      grace_days: 3,
      first: { percent_of_rent: 5 },
      daily: { fixed_cents: 100 },
      cap_cents: 9_000,
      min_open_cents: 1,
    },
  },
];

async function fill(client: Client): Promise<void> {
  const create = async (path: string, fields: object) => {
    const { status, text, body } = await client.post(path, fields);
    expect(status, text).toBe(201);
    return body.data;
  };
  const awkward = [
    '=1+1',
    '+44 20',
    '-x',
    '@me',
    "'quoted",
    'a "b", c; d',
    'two\nlines\r\nthree',
    'Ünïcødé 🏠',
    '007',
    '1.250',
    '03/04/2026',
  ];
  const property = await make.property(client, {
    name: awkward[5],
    notes: awkward.join('|'),
    external_id: '=ext',
    type: 'condo',
    country: 'DE',
    postal_code: '00501',
    year_built: 1901,
    status: 'archived',
    units: awkward.map((name, at) => ({
      name,
      bedrooms: at,
      bathrooms: 1.5,
      market_rent_cents: 100 + at,
      offline: at === 2,
    })),
  });
  // This one has the same name, so only their ids tell the two apart.
  await make.property(client, { name: property.name });
  const tenants = [];
  for (const text of awkward)
    tenants.push(
      await make.tenant(client, {
        first_name: text,
        last_name: 'Okafor',
        phone: text,
        notes: text,
        email: 'home@example.com',
      }),
    );
  const units = (await client.get(`/units?property_id=${property.id}`)).body.data;
  for (const [at, unit] of units.entries()) {
    await make.lease(client, {
      unit_id: unit.id,
      tenant_ids: [tenants[at].id, tenants[(at + 1) % tenants.length].id],
      start_date: day(-400),
      end_date: day(-100),
      ended_on: at === 1 ? day(-120) : null,
      rent_cents: 123_456,
      deposit_cents: at === 0 ? null : 5,
      due_day: 28,
      currency: at === 3 ? 'JPY' : 'USD',
    });
    const { id } = await make.lease(client, {
      unit_id: unit.id,
      tenant_ids: [tenants[at].id],
      start_date: day(-50),
      notice_given_on: at === 4 ? day(-1) : null,
      ...terms[at % terms.length],
    });
    const entry = { lease_id: id, amount_cents: 1_000 + at, memo: awkward[at], external_id: awkward[at] };
    const charge = await create('/charges', { ...entry, kind: 'parking', due_on: day(-20) });
    const reason = at % 2 === 0 ? 'concession' : 'write_off';
    const charge_id = at === 2 ? charge.id : null;
    await create('/maintenance', {
      property_id: property.id,
      unit_id: at % 2 === 0 ? unit.id : null,
      tenant_id: tenants[at].id,
      title: awkward[at],
      description: awkward[at],
      status: ['open', 'on_hold', 'cancelled'][at % 3],
      scheduled_for: at === 1 ? '2026-03-04T09:30:00.000Z' : null,
      cost_cents: at === 3 ? 1_250 : null,
    });
    await create('/credits', { ...entry, reason, credited_on: day(-15), charge_id });
  }
  for (const [at, tenant] of tenants.entries())
    for (let n = 0; n < 2; n++)
      await make.payment(client, {
        tenant_id: tenant.id,
        amount_cents: 100_001,
        currency: at === 3 ? 'JPY' : 'USD',
        paid_on: day(-10),
        status: ['paid', 'pending', 'refunded'][at % 3],
        method: 'card',
        period: '2026-11',
        reference: awkward[at],
        memo: awkward[at],
      });
}

test('what one account exports another can import: the lists are equal, and importing again changes nothing in either', async () => {
  const [source, target] = [await service.client(), await service.client()];
  await fill(source);
  const files = await exportOf(source);
  const charges = (await source.get('/charges?limit=1000')).body.data;
  const scheduled = charges.filter((one: { source: string }) => one.source === 'schedule').length;

  const report = await importAll(service, target, files);
  expect(report.files.map(({ create, update, unchanged }) => [create, update, unchanged])).toEqual([
    [2, 0, 0],
    [11, 0, 0],
    [11, 0, 0],
    [22, 0, 0],
    [11, 0, scheduled],
    [22, 0, 0],
    [11, 0, 0],
    [11, 0, 0],
  ]);
  expect(await comparable(target)).toEqual(await comparable(source));

  const [before, sourceBefore] = [
    await dumpOf(service, target.accountId),
    await dumpOf(service, source.accountId),
  ];
  await importAll(service, target, files);
  expect(await dumpOf(service, target.accountId)).toBe(before);
  // The files go back into the account that they came from: every row is the record with that id.
  await importAll(service, source, files);
  expect(await dumpOf(service, source.accountId)).toBe(sourceBefore);
});

test('what was voided counts as little in the account that imports it, and money that named it comes along', async () => {
  const [source, target] = [await service.client(), await service.client()];
  const post = async (path: string, fields: object) => {
    const { status, text, body } = await source.post(path, fields);
    expect(status, text).toBeLessThan(300);
    return body.data;
  };
  const charged = async (lease: { id: string }, month: string) => {
    const { data } = (await source.get(`/charges?lease_id=${lease.id}&status=open,partial,paid`)).body;
    return data.find(({ kind, period }: { kind: string; period: string }) => (period ?? kind) === month);
  };
  const voided = async ({ id }: { id: string }) => post(`/charges/${id}/void`, { reason: 'A month free' });
  const lease = () =>
    make.lease(source, {
      start_date: '2025-01-01',
      end_date: '2025-03-31',
      ledger_from: '2025-01-01',
      rent_cents: 100_000,
      deposit_cents: 60_000,
    });
  const [free, corrected, replaced] = [await lease(), await lease(), await lease()];

  const january = await charged(free, '2025-01');
  await make.payment(source, { tenant_id: free.tenant_ids[0], amount_cents: 7, charge_id: january.id });
  await post('/credits', { lease_id: free.id, amount_cents: 5, reason: 'concession', charge_id: january.id });
  await voided(january);
  await voided(await charged(free, 'deposit'));

  await voided(await charged(corrected, '2025-02'));
  const rent = { lease_id: corrected.id, kind: 'rent', due_on: '2025-02-01' };
  await post('/charges', { ...rent, period: '2025-02', amount_cents: 90_000 });

  const deposit = await charged(replaced, 'deposit');
  const money = { tenant_id: replaced.tenant_ids[0], amount_cents: 60_000, paid_on: '2025-01-02' };
  await make.payment(source, { ...money, charge_id: deposit.id });
  await source.patch(`/leases/${replaced.id}`, { deposit_cents: 70_000, rent_cents: 110_000 });

  const balancesOf = async (client: Client) =>
    (await client.get('/balances?limit=100')).body.data
      .map((row: object) => Object.entries(row).filter(([name]) => name.endsWith('_cents')))
      .map((row: object) => JSON.stringify(row))
      .sort();
  const files = await exportOf(source);
  await importAll(service, target, files);
  expect(await balancesOf(target)).toEqual(await balancesOf(source));
  const before = await dumpOf(service, target.accountId);
  await importAll(service, target, files);
  expect(await dumpOf(service, target.accountId)).toBe(before);
  const own = await dumpOf(service, source.accountId);
  await importAll(service, source, files);
  expect(await dumpOf(service, source.accountId)).toBe(own);
});

test('what a flatmate paid before they left comes along, for the lease that they paid for', async () => {
  const [source, target] = [await service.client(), await service.client()];
  const [tenant, flatmate] = [await make.tenant(source), await make.tenant(source)];
  const flat = await make.lease(source, { tenant_ids: [tenant.id, flatmate.id], start_date: day(-1) });
  const [charge] = (await source.get(`/charges?lease_id=${flat.id}`)).body.data;
  await make.payment(source, { tenant_id: flatmate.id, amount_cents: 5 });
  await make.payment(source, { tenant_id: flatmate.id, amount_cents: 7, charge_id: charge.id });
  await source.patch(`/leases/${flat.id}`, { tenant_ids: [tenant.id] });
  await make.lease(source, { tenant_ids: [flatmate.id], start_date: day(-2) });
  const files = await exportOf(source);
  await importAll(service, target, files);
  expect(await comparable(target)).toEqual(await comparable(source));
  const before = await dumpOf(service, target.accountId);
  await importAll(service, target, files);
  expect(await dumpOf(service, target.accountId)).toBe(before);
  // Only an export knows who has left.
  const own = { leases: 'Lease ID,Unit,Tenant,Start,Rent\nL1,1,Ada Okafor,2026-01-01,100\n' };
  const elsewhere = await service.client();
  await importAll(service, elsewhere, {
    properties: 'Name\nMaple Court\n',
    units: 'Property,Unit\nMaple Court,1\n',
    tenants: 'Tenant ID,Name\nT1,Ada Okafor\nT2,Ben Li\n',
    ...own,
  });
  const payments = 'Tenant ID,Lease ID,Amount,Date\nT2,L1,5,2026-02-01\n';
  const [report] = (await importCsv(service, elsewhere, { payments })).files;
  expect(report?.errors).toMatchObject([{ line: 2, reason: "Must be one of the tenant's leases." }]);
});

test('what the dashboard exports, with names beside the ids, comes in too: elsewhere as new, at home without a change', async () => {
  const person = await signUp(service);
  const accountId = parseId('acct', (await person.get('/session')).body.data.account.id) ?? '';
  const [source, target] = [await service.client({ accountId }), await service.client()];
  await fill(source);
  const files = await exportOf(person);
  expect(files.leases).toContain('unit_name');
  await importAll(service, target, files);
  expect(await comparable(target)).toEqual(await comparable(source));
  const before = await dumpOf(service, accountId);
  await importAll(service, source, files);
  expect(await dumpOf(service, accountId)).toBe(before);
});

test('a file that was exported, edited in a spreadsheet and imported changes just what was edited', async () => {
  const client = await service.client();
  await fill(client);
  const files = await exportOf(client);
  const tenants = String(files.tenants).replace('"a ""b"", c; d",Okafor', 'Ada,Okafor');
  const report = await importAll(service, client, { tenants });
  expect(report.files[0]).toMatchObject({ create: 0, update: 1, unchanged: 10 });
});
