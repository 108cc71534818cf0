import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importAll, importCsv } from '../../test/support/csv.ts';
import { isCluster } from '../../test/support/database.ts';
import { dumpOf, eventsDuring, make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { operator } from '../caller.ts';
import type { Source } from '../csv/source.ts';
import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { importFiles, surveyFiles } from './imports.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const list = async (client: Client, path: string) => (await client.get(path)).body.data;

const portfolio = {
  properties: 'external_id,name,city\nP1,Maple Court,Portland\nP2,Oak House,Salem\n',
  units: 'Property ID,Unit #,Beds,Rent\nP1,1A,2,"$1,250.00"\nP1,1B,1,$990\nP2,House,4,2100\n',
  tenants:
    'Tenant ID,First Name,Last Name,E-mail\nT1,Ada,Okafor,ada@example.com\nT2,Ben,Li,ben@example.com\nT3,Cem,Öz,\n',
  leases:
    'Property,Apt,Tenant,Lease Start,Lease End,Monthly Rent,Security Deposit\n' +
    'Maple Court,1A,Ada Okafor,1/15/2026,,"$1,250.00","$1,250.00"\n' +
    'Oak House,House,"Li, Ben; Cem Öz",2/1/2026,1/31/2027,2100,0\n',
  payments:
    'Receipt #,Tenant ID,Date Paid,Amount,Method,For Month\n' +
    'R1,T1,2/1/2026,"$1,250.00",ACH,Feb 2026\nR2,T2,2/14/2026,"2,100.00",Check,2026-02\n',
};

const counts = (report: { files: { create: number; update: number; unchanged: number }[] }) =>
  report.files.map(({ create, update, unchanged }) => [create, update, unchanged]);

describe('a whole portfolio', () => {
  test('comes in from five files, each referring to those before it', async () => {
    const client = await service.client();
    const report = await importAll(service, client, portfolio);
    expect(report.files.map(({ kind, status, create }) => [kind, status, create])).toEqual([
      ['properties', 'applied', 2],
      ['units', 'applied', 3],
      ['tenants', 'applied', 3],
      ['leases', 'applied', 2],
      ['payments', 'applied', 2],
    ]);
    const tenants = await list(client, '/tenants');
    expect(tenants.find((one: { external_id: string }) => one.external_id === 'T1')).toMatchObject({
      first_name: 'Ada',
      property: { name: 'Maple Court' },
      unit: { name: '1A' },
      lease: { start_date: '2026-01-15', end_date: null, rent_cents: 125_000, currency: 'USD' },
    });
    const leases = await list(client, '/leases');
    expect(leases[0]).toMatchObject({ rent_cents: 210_000, deposit_cents: null, end_date: '2027-01-31' });
    expect(leases[0].tenant_ids).toHaveLength(2);
    const payments = await list(client, '/payments');
    expect(payments.map((one: object) => one)).toMatchObject([
      { amount_cents: 210_000, paid_on: '2026-02-14', method: 'check', period: '2026-02', source: 'import' },
      {
        amount_cents: 125_000,
        paid_on: '2026-02-01',
        method: 'bank_transfer',
        period: '2026-02',
        status: 'paid',
      },
    ]);
    expect(payments[1].lease_id).toBe(leases[1].id);
    const units = await list(client, '/units?status=occupied,notice');
    expect(units).toHaveLength(2);
  });

  test('changes nothing and sends no event when it comes a second time', async () => {
    const client = await service.client();
    await importAll(service, client, portfolio);
    const before = await dumpOf(service, client.accountId);
    const report = await importAll(service, client, portfolio);
    expect(counts(report)).toEqual([
      [0, 0, 2],
      [0, 0, 3],
      [0, 0, 3],
      [0, 0, 2],
      [0, 0, 2],
    ]);
    expect(await dumpOf(service, client.accountId)).toBe(before);
  });

  test('changes only what changed, with an event for each', async () => {
    const client = await service.client();
    await importAll(service, client, portfolio);
    const events = await eventsDuring(service, client, async () => {
      const report = await importAll(service, client, {
        ...portfolio,
        properties: portfolio.properties.replace('Maple Court', 'Maple Yard').replace('Salem', 'Eugene'),
        leases: portfolio.leases
          .replace('Maple Court', 'Maple Yard')
          .replace('1/15/2026,,"$1,250.00"', '1/15/2026,,"$1,300.00"'),
        payments: `${portfolio.payments}R3,T1,3/1/2026,"$1,300.00",,\n`,
      });
      expect(counts(report)).toEqual([
        [0, 2, 0],
        [0, 0, 3],
        [0, 0, 3],
        [0, 1, 1],
        [1, 0, 2],
      ]);
    });
    expect(namesOfWritten(events)).toEqual([
      'property.updated',
      'property.updated',
      'lease.updated',
      'payment.created',
    ]);
  });

  test('is checked and not written in a trial run, references between the files included', async () => {
    const client = await service.client();
    const before = await dumpOf(service, client.accountId);
    const report = await importAll(service, client, portfolio, { dryRun: true });
    expect(report.dry_run).toBe(true);
    expect(report.files.map(({ status, create }) => [status, create])).toEqual([
      ['valid', 2],
      ['valid', 3],
      ['valid', 3],
      ['valid', 2],
      ['valid', 2],
    ]);
    expect(await dumpOf(service, client.accountId)).toBe(before);
  });

  test('emits an event for every record, unless events are declined', async () => {
    const client = await service.client();
    await make.webhook(client, { events: ['payment.created'] });
    const loud = await eventsDuring(service, client, () => importAll(service, client, portfolio));
    expect(namesOfWritten(loud)).toEqual([
      ...Array(2).fill('property.created'),
      ...Array(3).fill('unit.created'),
      ...Array(3).fill('tenant.created'),
      ...Array(2).fill('lease.created'),
      ...Array(2).fill('payment.created'),
    ]);
    const last = JSON.parse(loud.at(-1)?.body ?? '');
    const { text } = await client.get(`/payments/${last.data.payment.id}`);
    expect(JSON.stringify({ data: last.data.payment })).toBe(text);

    const quiet = await service.client();
    expect(
      await eventsDuring(service, quiet, () => importAll(service, quiet, portfolio, { events: false })),
    ).toEqual([]);
    expect(await list(quiet, '/payments')).toHaveLength(2);
  });

  test('stays in its account: the same keys in another one are other records', async () => {
    const [one, two] = [await service.client(), await service.client()];
    await importAll(service, one, portfolio);
    const before = await dumpOf(service, one.accountId);
    const report = await importAll(service, two, portfolio);
    expect(report.files.map(({ create }) => create)).toEqual([2, 3, 3, 2, 2]);
    expect(await dumpOf(service, one.accountId)).toBe(before);
    const foreign = await importCsv(service, await service.client(), { payments: portfolio.payments });
    expect(foreign.files[0]?.errors[0]?.reason).toBe('There is no tenant "T1".');
  });
});

/** Events of leases are also described by their units and tenants, and by what they charge. */
const namesOfWritten = (events: { event: string }[]) =>
  events.map(({ event }) => event).filter((event) => !/^charge\.|^(unit|tenant)\.updated$/.test(event));

describe('all or nothing', () => {
  test('one wrong row keeps out its whole file, and earlier files stay', async () => {
    const client = await service.client();
    const report = await importCsv(service, client, {
      properties: portfolio.properties,
      units: `${portfolio.units}P9,2C,1,100\n`,
      tenants: portfolio.tenants,
    });
    expect(report.ok).toBe(false);
    expect(report.files.map(({ status }) => status)).toEqual(['applied', 'failed', 'held_back']);
    expect(report.files[1]?.errors).toEqual([
      { line: 5, column: 'Property ID', reason: 'There is no property "P9".' },
    ]);
    expect(await list(client, '/properties')).toHaveLength(2);
    expect(await list(client, '/units')).toEqual([]);
    expect(await list(client, '/tenants')).toEqual([]);
  });

  test('the wrong rows of every file are reported at once, and a failed file sends no event', async () => {
    const client = await service.client();
    const events = await eventsDuring(service, client, async () => {
      const report = await importCsv(service, client, {
        tenants:
          'First Name,Last Name,Email\nAda,Okafor,ada@example.com\nBen,,ben@example.com\nCem,Öz,nonsense\n',
        payments:
          'Tenant,Amount,Date\nAda Okafor,100,2026-01-01\nAda Okafor,(50.00),2026-01-02\nNobody Atall,5,2026-13-01\nNobody Atall,5,2026-01-01\n',
      });
      expect(report.files.map(({ status, error_count }) => [status, error_count])).toEqual([
        ['failed', 2],
        ['failed', 3],
      ]);
      expect(report.files[0]?.errors).toEqual([
        { line: 3, column: 'Last Name', reason: 'Must not be empty.' },
        { line: 4, column: 'Email', reason: 'Must be an e-mail address.' },
      ]);
      expect(report.files[1]?.errors).toEqual([
        { line: 3, column: 'Amount', reason: 'Must be more than zero; it is negative.' },
        { line: 4, column: 'Date', reason: '"2026-13-01" is not a date such as 2026-11-15.' },
        { line: 5, column: 'Tenant', reason: 'There is no tenant "Nobody Atall".' },
      ]);
    });
    expect(events).toEqual([]);
    expect(await list(client, '/tenants')).toEqual([]);
  });

  test('what the database refuses is reported at its row: leases that overlap, in the file or with existing ones', async () => {
    const client = await service.client();
    await importAll(service, client, {
      ...portfolio,
      payments: 'Tenant,Amount,Date\nAda Okafor,1,2026-03-01\n',
    });
    const report = await importCsv(service, client, {
      leases:
        'Property,Unit,Tenant,Start,End,Rent\n' +
        'Maple Court,1B,Ada Okafor,2026-01-01,2026-06-30,900\n' +
        'Maple Court,1B,Ben Li,2026-07-01,2026-12-31,900\n' +
        'Maple Court,1B,Cem Öz,2026-12-31,,900\n' +
        'Maple Court,1A,Cem Öz,2026-05-01,,900\n' +
        'Maple Court,1B,Cem Öz,2025-05-01,2024-05-01,900\n',
    });
    const overlap = expect.stringMatching(
      /already has a lease during this time.*If the row renews that lease/,
    );
    expect(report.files[0]?.errors.toSorted((a, b) => a.line - b.line)).toEqual([
      { line: 4, column: 'Start', reason: overlap },
      { line: 5, column: 'Start', reason: overlap },
      { line: 6, column: 'End', reason: 'Must not be before `start_date`.' },
    ]);
    expect(await list(client, '/leases')).toHaveLength(2);
  });

  test('a change that the API would refuse is refused', async () => {
    const client = await service.client();
    const tenant = await make.tenant(client);
    const payment = await make.payment(client, {
      tenant_id: tenant.id,
      status: 'voided',
      paid_on: '2026-01-01',
    });
    const report = await importCsv(service, client, {
      payments: `id,tenant_id,amount,paid_on,status\n${payment.id},${tenant.id},1250.00,2026-01-01,paid\n`,
    });
    expect(report.files[0]?.errors).toEqual([
      { line: 2, column: 'status', reason: 'A voided payment is final; its status cannot change.' },
    ]);
    const changed = await importCsv(service, client, {
      payments: `id,tenant_id,amount,paid_on\n${payment.id},${tenant.id},1.00,2026-01-01\n`,
    });
    expect(changed.files[0]?.errors).toEqual([
      expect.objectContaining({ reason: expect.stringMatching(/^A voided payment is closed/) }),
    ]);
  });

  test('two imports at once make everything once', async () => {
    const client = await service.client();
    const reports = await Promise.all([1, 2, 3].map(() => importAll(service, client, portfolio)));
    const created = reports.map(({ files }) => files.reduce((sum, { create }) => sum + create, 0));
    expect(created.reduce((sum, one) => sum + one, 0)).toBe(12);
    expect(await list(client, '/tenants')).toHaveLength(3);
    expect(await list(client, '/payments')).toHaveLength(2);
  });

  test('an import that has to wait too long says so', async () => {
    const client = await service.client();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let entered = () => {};
    const inside = new Promise<void>((resolve) => {
      entered = resolve;
    });
    const first = service.database.db.transaction(async (tx) => {
      const { lockImports } = await import('./imports.store.ts');
      await lockImports(tx, client.accountId);
      entered();
      await held;
    });
    await inside;
    await expect(importCsv(service, client, portfolio, { waitMs: 0 })).rejects.toThrow('Another import');
    release();
    await first;
    await importAll(service, client, portfolio);
  });

  test('an import that dies in the middle leaves nothing', async () => {
    const client = await service.client();
    const rows = Array.from({ length: 3000 }, (_, n) => `Ada${n},Okafor,ada${n}@example.com`);
    const report = importCsv(
      service,
      client,
      { tenants: `First Name,Last Name,Email\n${rows.join('\n')}\n` },
      {
        onProgress: ({ rows: done }) => {
          if (done >= 2000) throw new Error('the process ends');
        },
      },
    );
    await expect(report).rejects.toThrow('the process ends');
    expect(await list(client, '/tenants')).toEqual([]);
  });
});

describe('which record a row is about', () => {
  test('payments without keys are the same by tenant, day, amount and reference; twice the same row is two', async () => {
    const client = await service.client();
    await make.tenant(client);
    const payments =
      'Tenant,Amount,Date,Reference\nAda Okafor,100,2026-01-01,\nAda Okafor,100,2026-01-01,\nAda Okafor,100,2026-01-01,Check 7\n';
    expect(counts(await importAll(service, client, { payments }))).toEqual([[3, 0, 0]]);
    expect(counts(await importAll(service, client, { payments }))).toEqual([[0, 0, 3]]);
    const more = `${payments}Ada Okafor,100,2026-01-01,\n`;
    expect(counts(await importAll(service, client, { payments: more }))).toEqual([[1, 0, 3]]);
    expect(await list(client, '/payments')).toHaveLength(4);
  });

  test('a payment with an external_id may change in everything but its tenant', async () => {
    const client = await service.client();
    const tenant = await make.tenant(client);
    await make.tenant(client, { first_name: 'Ben', last_name: 'Li' });
    const row = (fields: string) => `external_id,tenant,amount,paid_on,status\n${fields}\n`;
    await importAll(service, client, { payments: row('X1,Ada Okafor,100,2026-01-01,pending') });
    await importAll(service, client, { payments: row('X1,Ada Okafor,120.50,2026-01-03,Cleared') });
    expect(await list(client, '/payments')).toMatchObject([
      { tenant_id: tenant.id, amount_cents: 12_050, paid_on: '2026-01-03', status: 'paid' },
    ]);
    const report = await importCsv(service, client, { payments: row('X1,Ben Li,120.50,2026-01-03,paid') });
    expect(report.files[0]?.errors).toEqual([
      { line: 2, column: 'tenant', reason: expect.stringContaining('tenant of a payment cannot change') },
    ]);
  });

  test('an empty cell clears a value; a missing column leaves it', async () => {
    const client = await service.client();
    await importAll(service, client, {
      tenants: 'external_id,name,phone,email\nT1,Ada Okafor,+1 555,ada@example.com\n',
    });
    await importAll(service, client, { tenants: 'external_id,name,phone\nT1,Ada Okafor,\n' });
    expect(await list(client, '/tenants')).toMatchObject([{ phone: null, email: 'ada@example.com' }]);
  });

  test('couples may share an e-mail address, and a person found by it may get another last name', async () => {
    const client = await service.client();
    const tenants = 'First Name,Last Name,Email\nAda,Okafor,home@example.com\nBen,Okafor,home@example.com\n';
    expect(counts(await importAll(service, client, { tenants }))).toEqual([[2, 0, 0]]);
    expect(counts(await importAll(service, client, { tenants }))).toEqual([[0, 0, 2]]);
    const married = tenants.replace('Ben,Okafor', 'Ben,Li');
    expect(counts(await importAll(service, client, { tenants: married }))).toEqual([[0, 1, 1]]);
  });

  test('a name that two people have identifies nobody', async () => {
    const client = await service.client();
    await make.tenant(client, { email: 'one@example.com' });
    await make.tenant(client, { email: 'two@example.com' });
    const byName = await importCsv(service, client, {
      payments: 'Tenant,Amount,Date\nAda Okafor,1,2026-01-01\n',
    });
    expect(byName.files[0]?.errors).toEqual([
      {
        line: 2,
        column: 'Tenant',
        reason: expect.stringContaining('There are 2 tenants called "Ada Okafor"'),
      },
    ]);
    await importAll(service, client, {
      payments: 'Tenant,Email,Amount,Date\nAda Okafor,TWO@example.com,1,2026-01-01\n',
    });
  });

  test('a lease has everybody whom its row names, with one address next to two names as well', async () => {
    const client = await service.client();
    const names = { ada: 'Ada,Okafor,ada@example.com', ben: 'Ben,Cole,', carl: 'Carl,Day,days@example.com' };
    const others = ['Dora,Day,days@example.com', 'Smith &,Sons,office@example.com'];
    await importAll(service, client, {
      properties: 'name\nMaple Court\n',
      units: 'Property,Unit\nMaple Court,1\nMaple Court,2\nMaple Court,3\nMaple Court,4\n',
      tenants: `First Name,Last Name,Email\n${[...Object.values(names), ...others].join('\n')}\n`,
    });
    const header = 'Property,Unit,Tenant,Email,Start,Rent\n';
    const rows = [
      'Maple Court,1,Ada Okafor & Ben Cole,ada@example.com,2026-01-01,1001',
      'Maple Court,2,Carl Day,days@example.com,2026-01-01,1002',
      'Maple Court,3,Smith & Sons,office@example.com,2026-01-01,1003',
      'Maple Court,4,Nobody Here,ada@example.com; office@example.com,2026-01-01,1004',
    ];
    await importAll(service, client, { leases: header + rows.join('\n') });
    const tenants: { id: string; last_name: string }[] = await list(client, '/tenants');
    const leases: { tenant_ids: string[]; rent_cents: number }[] = await list(client, '/leases');
    const people = leases
      .sort((one, other) => one.rent_cents - other.rent_cents)
      .map(({ tenant_ids }) =>
        tenant_ids.map((id) => tenants.find((one) => one.id === id)?.last_name).sort(),
      );
    expect(people).toEqual([['Cole', 'Okafor'], ['Day'], ['Sons'], ['Okafor', 'Sons']]);
    const unknown = `${header}Maple Court,1,Ada Okafor & Eve Unknown,ada@example.com,2027-01-01,1000\n`;
    expect((await importCsv(service, client, { leases: unknown })).files[0]?.errors).toEqual([
      { line: 2, column: 'Tenant', reason: expect.stringContaining('Eve Unknown') },
    ]);
  });

  test('a record may occur in a file twice if both rows agree', async () => {
    const client = await service.client();
    const properties = 'Property,City\nMaple Court,Portland\nOak House,Salem\nMaple Court,Portland\n';
    expect(counts(await importAll(service, client, { properties }))).toEqual([[2, 0, 1]]);
    const report = await importCsv(service, client, { properties: `${properties}oak house,Eugene\n` });
    expect(report.files[0]?.errors).toEqual([
      { line: 5, column: 'Property', reason: 'Line 3 already has this property, with other values.' },
    ]);
  });

  test('rows with different keys that are about one record are repeats too', async () => {
    const client = await service.client();
    await importAll(service, client, { properties: 'Property\nMaple Court\n' });
    const units = (...rows: string[]) => ['Property,Unit ID,Unit,Rent', ...rows].join('\n');
    await importAll(service, client, { units: units('Maple Court,,2B,1000') });
    const agreed = units('Maple Court,U-1,2B,1100', 'Maple Court,U-2,2B,1100');
    expect(counts(await importAll(service, client, { units: agreed }))).toEqual([[0, 1, 1]]);
    const other = await importCsv(service, client, {
      units: units('Maple Court,U-1,2B,1200', 'Maple Court,U-2,2B,1300'),
    });
    expect(other.files[0]?.errors).toEqual([
      { line: 3, column: 'Unit ID', reason: 'Line 2 already has this unit, with other values.' },
    ]);
    // The same goes where the first of them makes the record in the batch before.
    const between = Array.from({ length: 1200 }, (_, n) => `Maple Court,N-${n},New ${n},1`);
    const many = await importCsv(service, client, {
      units: units('Maple Court,U-7,7A,1000', ...between, 'Maple Court,U-8,7A,1001'),
    });
    expect(many.files[0]?.errors).toEqual([
      { line: 1203, column: 'Unit ID', reason: 'Line 2 already has this unit, with other values.' },
    ]);
  });

  test('a lease that two rows adopt is changed once', async () => {
    const client = await service.client();
    await importAll(service, client, {
      properties: 'Property\nMaple Court\n',
      units: 'Property,Unit\nMaple Court,2B\n',
      tenants: 'First Name,Last Name\nAda,Okafor\n',
      leases: 'Property,Unit,Tenant,Start,Rent\nMaple Court,2B,Ada Okafor,2026-01-01,1000\n',
    });
    const row = (id: string) => `${id},Maple Court,2B,Ada Okafor,2026-01-01,1100`;
    const leases = ['Lease ID,Property,Unit,Tenant,Start,Rent', row('L-1'), row('L-2')].join('\n');
    expect(counts(await importAll(service, client, { leases }))).toEqual([[0, 1, 1]]);
  });

  test('a NUL in a cell is reported with its line', async () => {
    const client = await service.client();
    const report = await importCsv(service, client, {
      tenants: 'ID,First Name,Last Name\nT-1,Ada,Okafor\nT\0-2,Bob,Lee\n',
    });
    expect(report.files[0]?.errors).toEqual([
      { line: 3, column: 'ID', reason: 'Must not contain NUL characters or broken Unicode.' },
    ]);
  });

  test('rows that repeat are seen across batches too', async () => {
    const client = await service.client();
    const rows = Array.from({ length: 1500 }, (_, n) => `E${n},House ${n}`);
    const properties = ['external_id,name', ...rows, 'E3,House 3', 'E4,Other'].join('\n');
    const report = await importCsv(service, client, { properties });
    expect(report.files[0]).toMatchObject({ unchanged: 1, create: 1500, error_count: 1 });
    expect(report.files[0]?.errors[0]).toMatchObject({ line: 1503, column: 'external_id' });
  });
});

test('a file is read no further than one batch ahead of what is written', async () => {
  const client = await service.client();
  const header = 'First Name,Last Name,Notes\n';
  const row = (n: number) => `Ada,Okafor${String(n).padStart(5, '0')},${'x'.repeat(480)}\n`;
  const rowBytes = row(0).length;
  const source: Source = {
    name: 'endless.csv',
    size: rowBytes * 5000,
    // It is made while it is read, so nothing but the import could be keeping it in memory.
    async *open() {
      yield Buffer.from(header);
      for (let n = 0; n < 5000; n += 100)
        yield Buffer.from(Array.from({ length: 100 }, (_, at) => row(n + at)).join(''));
    },
  };
  const ahead: number[] = [];
  const request = {
    accountId: client.accountId,
    actor: operator,
    files: [{ kind: 'tenants' as const, source, mapping: {} }],
    dateOrder: null,
    dryRun: false,
    events: false,
    now: new Date(),
    waitMs: 0,
    onProgress: ({ rows, bytes }: { rows: number; bytes: number }) => ahead.push(bytes - rows * rowBytes),
    // The table has been analysed by now, so that later batches are not planned for the empty table of the first one.
    onApplied: async (tx: Db) => {
      const [table] = await tx.query<{ rows: number }>(
        sql`select reltuples as rows from pg_class where oid = 'tenants'::regclass`,
      );
      expect(isCluster() || Number(table?.rows) > 1000).toBe(true);
    },
  };
  const report = await importFiles(service.database.db, request, await surveyFiles(request));
  expect(report.files[0]).toMatchObject({ status: 'applied', create: 5000 });
  expect(ahead).toHaveLength(11);
  expect(Math.max(...ahead)).toBeLessThan(1000 * rowBytes + 200_000);
});
