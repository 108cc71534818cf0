import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CsvFiles, importAll, importCsv } from '../../test/support/csv.ts';
import { dumpOf, eventsDuring, make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';
import { newId } from '../ids.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  client = await service.client();
});
afterAll(() => service.close());

const people = {
  properties: 'Name\nMaple Court\nOak House\n',
  units: 'Property,Unit\nMaple Court,1A\nMaple Court,1B\nOak House,House\n',
  tenants: 'Tenant ID,Name,Email\nT1,Ada Okafor,ada@example.com\nT2,Ben Li,\nT3,Cem Öz,\n',
};
/** The leases have ended, so what they charge by themselves does not depend on the day of the test. */
const leases =
  'Lease ID,Property,Unit,Tenant,Start,End,Rent,Deposit,Ledger from\n' +
  'L1,Maple Court,1A,Ada Okafor,2025-01-01,2025-03-31,1000.00,500.00,2025-01-01\n' +
  'L2,Maple Court,1B,Ben Li & Cem Öz,2025-01-01,2025-03-31,800.00,,2025-01-01\n' +
  'L3,Oak House,House,Ada Okafor,2025-04-10,2025-06-30,1500.00,,2025-04-10\n';

const filled = () => importAll(service, client, { ...people, leases });
const get = async (path: string) => (await client.get(path)).body.data;
const leaseOf = async (unit: string): Promise<string> => {
  const units: { id: string; name: string }[] = await get('/units');
  return (await get(`/leases?unit_id=${units.find(({ name }) => name === unit)?.id}`))[0].id;
};
const counts = ({ files }: { files: { create: number; unchanged: number; skipped: number }[] }) =>
  files.map(({ create, unchanged, skipped }) => [create, unchanged, skipped]);
const errorsIn = async (files: CsvFiles) =>
  (await importCsv(service, client, files)).files.flatMap(({ errors }) =>
    errors.map(({ line, column, reason }) => [line, column, reason]),
  );
/** How much of each charge is open. */
const open = async (lease: string) =>
  (await get(`/charges?lease_id=${lease}&limit=100`))
    .filter(({ status }: { status: string }) => status !== 'voided')
    .map((one: Record<string, unknown>) => `${one.due_on} ${one.kind} ${one.amount} ${one.open}`)
    .sort();

describe('charges', () => {
  test('belong to a lease by its id, or by its unit or tenant on the day', async () => {
    await filled();
    const report = await importAll(service, client, {
      charges:
        'Lease ID,Unit,Tenant,Charge Type,Amount Due,Due Date,Description\n' +
        'L1,,,Parking,$50.00,2025-02-05,Garage\n' +
        ',1B,,Water,20.00,2025-02-05,\n' +
        ',,Ada Okafor,Late Charge,35,2025-02-10,\n' +
        ',,Ada Okafor,Cleaning,35,2025-04-20,\n' +
        ',1B,Cem Öz,NSF Fee,30,2025-03-03,\n' +
        ',,Ben Li,Application Fee,25,2024-12-01,\n' +
        ',House,,Damages,90,2025-08-01,\n',
    });
    expect(report.files[0]).toMatchObject({ status: 'applied', create: 7, ignored_columns: [] });
    const [l1, l2, l3] = [await leaseOf('1A'), await leaseOf('1B'), await leaseOf('House')];
    const charges: Record<string, unknown>[] = await get('/charges?limit=100');
    const imported = charges.filter(({ source }) => source === 'import').reverse();
    expect(imported.map(({ lease_id, kind, amount_cents }) => [lease_id, kind, amount_cents])).toEqual([
      [l1, 'parking', 5000],
      [l2, 'utility', 2000],
      [l1, 'late_fee', 3500],
      [l3, 'repair', 3500],
      [l2, 'returned_payment', 3000],
      [l2, 'fee', 2500],
      [l3, 'repair', 9000],
    ]);
    expect(imported[0]).toMatchObject({
      memo: 'Garage',
      due_on: '2025-02-05',
      status: 'open',
      open: '50.00',
    });
  });

  test('come in once, however often the file does, and never change', async () => {
    await filled();
    const rows = (amount: string, dueOn: string) =>
      `Invoice #,Lease,Type,Amount,Due\nI1,L1,Parking,${amount},${dueOn}\n,L1,Pet,10,2025-02-05\n,L1,Pet,10,2025-02-05\n`;
    const charges = rows('50', '2025-02-05');
    expect(counts(await importAll(service, client, { charges }))).toEqual([[3, 0, 0]]);
    const before = await dumpOf(service, client.accountId);
    expect(counts(await importAll(service, client, { charges }))).toEqual([[0, 3, 0]]);
    const reason = 'A charge never changes; void it, then import it again.';
    expect(await errorsIn({ charges: rows('60', '2025-02-05') })).toEqual([[2, 'Amount', reason]]);
    expect(await errorsIn({ charges: rows('50', '2025-02-06') })).toEqual([[2, 'Due', reason]]);
    expect(await errorsIn({ charges: charges.replace('L1,Parking', 'L2,Parking') })).toEqual([
      [2, 'Lease', reason],
    ]);
    expect(await dumpOf(service, client.accountId)).toBe(before);

    const [parking] = await get('/charges?kind=parking');
    expect(parking.external_id).toBe('I1');
    await client.post(`/charges/${parking.id}/void`, { reason: 'Wrong amount.' });
    // The same row is still the charge that was voided. Another row replaces it.
    expect(counts(await importAll(service, client, { charges }))).toEqual([[0, 3, 0]]);
    expect(counts(await importAll(service, client, { charges: rows('60', '2025-02-05') }))).toEqual([
      [1, 2, 0],
    ]);
    const after = await dumpOf(service, client.accountId);
    expect(counts(await importAll(service, client, { charges: rows('60', '2025-02-05') }))).toEqual([
      [0, 3, 0],
    ]);
    expect(await dumpOf(service, client.accountId)).toBe(after);
    expect(await get('/charges?kind=parking')).toMatchObject([
      { amount_cents: 6000, status: 'open', external_id: 'I1' },
      { amount_cents: 5000, status: 'voided' },
    ]);
  });

  test('of a month that the lease charges by itself are that charge, or are refused', async () => {
    await filled();
    const charges =
      'Charge ID,Lease,Type,Amount,Due,Month\n' +
      'C1,L1,Rent,1000.00,2025-01-01,\nC2,L1,Rent,1000.00,2025-02-01,2025-02\nC3,L1,Deposit,500,2025-01-01,\n';
    const before = await get('/charges?limit=100');
    expect(counts(await importAll(service, client, { charges }))).toEqual([[0, 3, 0]]);
    expect(await get('/charges?limit=100')).toEqual(before);
    expect(counts(await importAll(service, client, { charges }))).toEqual([[0, 3, 0]]);
    expect(await errorsIn({ charges: 'Lease,Type,Amount,Due\nL1,Rent,950,2025-01-01\n' })).toEqual([
      [2, 'period', 'This lease is already charged rent for that month; void that first.'],
    ]);
    // Other rows can name the charge by the id that it has in the file.
    await importAll(service, client, {
      credits: 'Lease,Charge ID,Amount,Date,Reason\nL1,C2,100,2025-02-03,Discount\n',
    });
    expect(await open(await leaseOf('1A'))).toContain('2025-02-01 rent 1000.00 900.00');
  });

  test('that were voided are skipped', async () => {
    await filled();
    const report = await importAll(service, client, {
      charges:
        'Lease,Type,Amount,Due,Status,voided_on\n' +
        'L1,Pet,10,2025-02-05,Void,\nL1,Pet,10,2025-02-05,,2025-02-06\nL1,Pet,10,2025-02-05,open,\n',
    });
    expect(counts(report)).toEqual([[1, 0, 2]]);
  });

  test('that are wrong are refused, each with its line, column and reason', async () => {
    await filled();
    const header = 'Lease,Unit,Tenant,Type,Amount,Due,Currency\n';
    const rows = [
      ['L9,,,Pet,1,2025-02-01,', 'Lease', 'There is no lease "L9".'],
      [',,,Pet,1,2025-02-01,', 'Lease', 'Must name a lease, a unit or a tenant.'],
      [',House,Ben Li,Pet,1,2025-02-01,', 'Tenant', 'This tenant has no lease of this unit.'],
      ['L1,,,Ghost,1,2025-02-01,', 'Type', /^Must be one of rent, deposit/],
      ['L1,,,Pet,-1,2025-02-01,', 'Amount', /negative/],
      ['L1,,,Pet,,2025-02-01,', 'Amount', /./],
      ['L1,,,Pet,1,,', 'Due', 'Must not be empty.'],
      ['L1,,,Pet,1,2025-02-01,EUR', 'Currency', 'The lease is in USD.'],
    ] as const;
    const errors = await errorsIn({ charges: header + rows.map(([row]) => `${row}\n`).join('') });
    expect(errors.map(([line, column]) => [line, column])).toEqual(
      rows.map(([, column], at) => [at + 2, column]),
    );
    rows.forEach(([, , reason], at) => {
      if (typeof reason === 'string') expect(errors[at]?.[2]).toBe(reason);
      else expect(errors[at]?.[2]).toMatch(reason);
    });
  });

  test('of a tenant with two leases on the day need a unit', async () => {
    await filled();
    await importAll(service, client, {
      leases: 'Unit,Tenant,Start,End,Rent\nHouse,Ben Li,2025-01-01,2025-02-28,900\n',
    });
    const charges = (unit: string) => ({
      charges: `Tenant,Unit,Type,Amount,Due\nBen Li,${unit},Pet,10,2025-02-05\n`,
    });
    expect(await errorsIn(charges(''))).toEqual([
      [2, 'Tenant', 'There are several leases on this day; name the unit as well.'],
    ]);
    await importAll(service, client, charges('House'));
  });

  test('are in the currency of their lease', async () => {
    const { id } = await make.lease(client, {
      currency: 'JPY',
      start_date: '2025-01-01',
      rent_cents: 90_000,
    });
    await importAll(service, client, { charges: `Lease,Type,Amount,Due\n${id},Pet,1500,2025-02-05\n` });
    expect((await get('/charges?kind=pet'))[0]).toMatchObject({ amount_cents: 1500, currency: 'JPY' });
  });
});

describe('credits', () => {
  test('come in once and never change, and a deposit is not applied twice', async () => {
    await filled();
    const payments = 'Tenant ID,Amount,Date\nT1,3500,2025-01-01\n';
    const credits =
      'Credit #,Lease,Unit,Amount,Date,Reason,Notes\n' +
      'K1,L1,,25.00,2025-02-03,Discount,Broken lift\nK2,,1B,10,2025-02-03,Bad Debt,\n,L1,,500,2025-03-31,Deposit Applied,\n';
    expect(await errorsIn({ credits })).toEqual([
      [4, 'Amount', 'Only 0.00 USD is held of the deposit on 2025-03-31 and all later days.'],
    ]);
    // In one import, payments come before the credits that apply what they paid.
    const report = await importAll(service, client, { credits, payments });
    expect(report.files.map(({ kind, create }) => [kind, create])).toEqual([
      ['payments', 1],
      ['credits', 3],
    ]);
    const before = await dumpOf(service, client.accountId);
    expect(counts(await importAll(service, client, { credits }))).toEqual([[0, 3, 0]]);
    expect(await dumpOf(service, client.accountId)).toBe(before);
    const reason = 'A credit never changes; void it, then import it again.';
    expect(await errorsIn({ credits: credits.replace('25.00', '26.00') })).toEqual([[2, 'Amount', reason]]);
    expect(await errorsIn({ credits: credits.replace('02-03,Discount', '02-04,Discount') })).toEqual([
      [2, 'Date', reason],
    ]);
    const list: Record<string, unknown>[] = await get('/credits');
    expect(list.map(({ reason: why, amount, source }) => [why, amount, source])).toEqual([
      ['deposit', '500.00', 'import'],
      ['write_off', '10.00', 'import'],
      ['concession', '25.00', 'import'],
    ]);
    await client.post(`/credits/${list[2]?.id}/void`, { reason: 'Wrong.' });
    expect(counts(await importAll(service, client, { credits }))).toEqual([[0, 3, 0]]);
    expect(counts(await importAll(service, client, { credits: credits.replace('25.00', '26.00') }))).toEqual([
      [1, 2, 0],
    ]);
  });
});

describe('leases', () => {
  test('begin their ledger with an opening balance, owed or as a credit', async () => {
    await importAll(service, client, people);
    await importAll(service, client, {
      leases:
        'Unit,Tenant,Start,Rent,Balance Forward,Ledger Start,Prorate\n' +
        '1A,Ada Okafor,2024-01-01,1000,"$1,250.50",2025-01-01,30 days\n' +
        '1B,Ben Li,2024-01-01,1000,(75.00),2025-01-01,\nHouse,Cem Öz,2024-01-01,1000,0,,\n',
    });
    expect((await get('/leases')).reverse()).toMatchObject([
      { opening_balance: '1250.50', ledger_from: '2025-01-01', proration: 'thirty_days' },
      { opening_balance: '-75.00', ledger_from: '2025-01-01', proration: 'actual_days' },
      { opening_balance: '0.00' },
    ]);
  });

  test("take today's balance when they are new, and never again", async () => {
    await importAll(service, client, people);
    const leases = (balance: string) => ({
      leases: `Unit,Tenant,Start,Rent,Past Due\n1A,Ada Okafor,2024-01-01,1000,${balance}\n`,
    });
    await importAll(service, client, leases('120.00'));
    const before = await dumpOf(service, client.accountId);
    await importAll(service, client, leases('990.00'));
    expect(await dumpOf(service, client.accountId)).toBe(before);
    expect((await get('/leases'))[0].opening_balance_cents).toBe(12_000);
    await importAll(service, client, {
      leases: 'Unit,Tenant,Start,Rent,Past Due,Opening Balance\n1A,Ada Okafor,2024-01-01,1000,990,130\n',
    });
    expect((await get('/leases'))[0].opening_balance_cents).toBe(13_000);
  });

  test('may not leave less charged of a deposit than was refunded, and the column that would is named', async () => {
    await filled();
    const lease_id = await leaseOf('1A');
    const paid = {
      tenant_id: (await get(`/leases/${lease_id}`)).tenant_ids[0],
      lease_id,
      paid_on: '2025-01-02',
    };
    const deposit = (await get(`/charges?lease_id=${lease_id}&kind=deposit`))[0].id;
    await client.post('/payments', { ...paid, amount_cents: 50_000, charge_id: deposit });
    const refund = { amount_cents: 50_000, refunded_on: '2025-04-01' };
    expect((await client.post(`/leases/${lease_id}/deposit-refunds`, refund)).status).toBe(201);
    const reason = expect.stringContaining('only 0.00 USD of it would be charged');
    const later = leases.replace('500.00,2025-01-01', '500.00,2025-02-01');
    expect(await errorsIn({ leases: later })).toEqual([[2, 'Ledger from', reason]]);
    const none = leases.replace('500.00,2025-01-01', '0.00,2025-01-01');
    expect(await errorsIn({ leases: none })).toEqual([[2, 'Deposit', reason]]);
    const taken = leases
      .replace('L3,Oak House,House', 'L9,Maple Court,1A')
      .replaceAll('2025-04-10', '2025-03-10');
    expect(await errorsIn({ leases: taken })).toMatchObject([
      [4, 'Start', expect.stringContaining('already has')],
    ]);
  });

  test("are not charged again for rent that is part of today's balance", async () => {
    await importAll(service, client, people);
    const today = new Date().toISOString().slice(0, 10);
    const next = `${Number(today.slice(0, 4)) + 1}-01-01`;
    await importAll(service, client, {
      leases:
        'Unit,Tenant,Start,Rent,Current Balance\n' +
        `1A,Ada Okafor,2024-01-01,1000,77\n1B,Ben Li,2024-01-01,1000,\nHouse,Cem Öz,${next},1000,5\n`,
    });
    const leases = (await get('/leases')).reverse();
    expect(leases).toMatchObject([
      { opening_balance: '77.00', ledger_from: today },
      { opening_balance: '0.00', ledger_from: today },
      { opening_balance: '5.00', ledger_from: next },
    ]);
    const posted = await get('/charges');
    expect(posted.filter(({ due_on }: { due_on: string }) => due_on < today)).toEqual([]);
  });
});

describe('the ledger', () => {
  const charges =
    'Lease,Type,Amount,Due,Charge ID\nL1,Parking,50,2025-01-15,C1\nL1,Late Fee,40,2025-02-07,C2\nL2,Water,31.5,2025-02-01,\n';
  const payments =
    'Tenant ID,Amount,Date,For Month\nT1,1000,2025-01-02,2025-01\nT1,700,2025-02-01,\nT2,800,2025-01-01,\nT3,850,2025-02-01,\n';
  const credits = 'Lease,Amount,Date,Reason\nL1,100,2025-02-02,Discount\nL2,5,2025-03-01,Bad debt\n';

  test('is the same whatever file came first', async () => {
    const orders: CsvFiles[][] = [
      [{ charges, payments, credits }],
      [{ payments }, { credits }, { charges }],
      [{ credits }, { charges }, { payments }],
    ];
    const states = [];
    for (const order of orders) {
      client = await service.client();
      await filled();
      for (const files of order) await importAll(service, client, files);
      states.push([await open(await leaseOf('1A')), await open(await leaseOf('1B'))]);
    }
    expect(states[1]).toEqual(states[0]);
    expect(states[2]).toEqual(states[0]);
    expect(states[0]?.[0]).toContain('2025-02-01 rent 1000.00 250.00');
  });

  test('voids late fees when payments come in, with events unless they were declined', async () => {
    for (const events of [true, false]) {
      client = await service.client();
      const policy = {
        grace_days: 5,
        first: { fixed_cents: 5000 },
        daily: null,
        cap_cents: null,
        min_open_cents: 0,
      };
      await service.database.db.query(sql`
        insert into late_fee_policies (account_id, id, policy, set_on)
        values (${client.accountId}, ${newId()}, ${JSON.stringify(policy)}::jsonb, '2024-01-01')`);
      await filled();
      const fees = await get('/charges?kind=late_fee&status=open,partial');
      expect(fees.length).toBeGreaterThan(3);
      const told = await eventsDuring(service, client, () =>
        importAll(service, client, { payments: 'Tenant ID,Amount,Date\nT2,2400,2025-01-01\n' }, { events }),
      );
      const names = told.map(({ event }) => event);
      expect(names).toEqual(events ? ['payment.created', ...Array(3).fill('charge.updated')] : []);
      const voided = await get('/charges?kind=late_fee&status=voided');
      expect(voided).toHaveLength(3);
      expect(voided[0].void_reason).toBe('paid_in_time');
    }
  });

  test('is checked and not written in a trial run', async () => {
    await filled();
    const before = await dumpOf(service, client.accountId);
    const report = await importAll(service, client, { charges, payments, credits }, { dryRun: true });
    expect(report.files.map(({ status, create }) => [status, create])).toEqual([
      ['valid', 3],
      ['valid', 4],
      ['valid', 2],
    ]);
    expect(await dumpOf(service, client.accountId)).toBe(before);
  });
});
