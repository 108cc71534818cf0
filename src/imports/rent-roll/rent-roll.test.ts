import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importAll, importCsv, readCsv } from '../../../test/support/csv.ts';
import { make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { operator } from '../../caller.ts';
import { memorySource } from '../../csv/source.ts';
import { presetOf } from '../files/presets.ts';
import { rejectedRows } from '../files/rejected-rows.ts';
import { fileKind, type ImportRequest, importFiles, surveyFiles } from '../imports.ts';
import { survey } from '../survey.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const fixture = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/rent-roll/${name}`, import.meta.url), 'utf8');

interface Shown {
  unit: string;
  tenants: string;
  start: string;
  end: string | null;
  rent: number;
  deposit: number | null;
  balance: number;
}

/** Everything in the account, with names instead of ids. */
async function everything(client: Client) {
  const list = async (path: string) => (await client.get(`${path}?limit=1000`)).body.data.toReversed();
  const [properties, units, tenants, leases, balances] = await Promise.all(
    ['/properties', '/units', '/tenants', '/leases', '/balances'].map(list),
  );
  const named = <Of extends { id: string }>(all: Of[], id: string) => all.find((one) => one.id === id);
  const unitName = (id: string) => {
    const unit = named<{ id: string; name: string; property_id: string }>(units, id);
    return `${named<{ id: string; name: string }>(properties, unit?.property_id ?? '')?.name} ${unit?.name}`;
  };
  const name = (id: string) => {
    const one = named<{ id: string; first_name: string; last_name: string }>(tenants, id);
    return `${one?.first_name} ${one?.last_name}`;
  };
  return {
    properties,
    units,
    tenants,
    unitNames: units.map(({ id }: { id: string }) => unitName(id)).toSorted(),
    leases: leases.map(
      (lease: Record<string, never>): Shown => ({
        unit: unitName(lease.unit_id ?? ''),
        tenants: (lease.tenant_ids as unknown as string[]).map(name).toSorted().join(' + '),
        start: lease.start_date ?? '',
        end: lease.end_date ?? null,
        rent: (lease.rent_cents ?? 0) / 100,
        deposit: lease.deposit_cents === null ? null : (lease.deposit_cents ?? 0) / 100,
        balance:
          (balances.find((one: { lease_id: string }) => one.lease_id === lease.id)?.balance_cents ?? 0) / 100,
      }),
    ),
  };
}

/** Each lease in one line, for comparing at a glance. */
const lines = ({ leases }: { leases: Shown[] }) =>
  leases
    .map(({ unit, tenants, start, end, rent, deposit, balance }) =>
      [unit, tenants, start, end ?? '', rent, deposit ?? '', balance].join(' | '),
    )
    .toSorted();

const roll = async (text: string, more: Parameters<typeof importCsv>[3] = {}) => {
  const client = await service.client();
  const report = await importAll(service, client, { rent_roll: text }, { now, ...more });
  return { client, report: report.files[0], all: await everything(client) };
};
const now = new Date();
const contacts = (all: { tenants: Record<string, string>[] }) =>
  all.tenants.map((one) => [one.first_name, one.last_name, one.email, one.phone].join('|')).toSorted();

describe('files in the shape of', () => {
  test('a rent roll of Buildium: everything from one sheet, with the balance of the day', async () => {
    const { client, report, all } = await roll(fixture('buildium-rent-roll.csv'));
    expect(report?.parts.map(({ kind, create }) => [kind, create])).toEqual([
      ['properties', 1],
      ['units', 2],
      ['tenants', 3],
      ['leases', 2],
    ]);
    expect(report?.ignored_columns).toEqual(['Days left']);
    expect(lines(all)).toEqual([
      'Oak Row 101 | Cleo Martin | 2026-02-01 | 2027-01-31 | 1400 | 1400 | 0',
      'Oak Row 102 | Dev Patel + Mina Patel | 2025-06-15 |  | 1150 | 500 | 25',
    ]);
    expect(all.properties).toMatchObject([{ name: 'Oak Row', status: 'active' }]);
    expect(all.units).toMatchObject([
      { name: '101', bedrooms: 2, bathrooms: 1, area_sqft: 900, market_rent_cents: 145_000 },
      { name: '102', bedrooms: 1, bathrooms: 1, area_sqft: 700, market_rent_cents: 120_000 },
    ]);
    const again = await importAll(service, client, { rent_roll: fixture('buildium-rent-roll.csv') });
    expect(again.files[0]).toMatchObject({ create: 0, update: 0 });
  });

  test('a list of tenants of Buildium: the rows of one lease are joined', async () => {
    const { all } = await roll(fixture('buildium-tenants.csv'));
    expect(lines(all).map((line) => line.split(' | ').slice(0, 4))).toEqual([
      ['Oak Row 101', 'Cleo Martin', '2026-02-01', '2027-01-31'],
      ['Oak Row 102', 'Dev Patel + Mina Patel', '2025-06-15', ''],
    ]);
    expect(contacts(all)).toEqual([
      'Cleo|Martin|cleo@example.com|(503) 555-0110',
      'Dev|Patel|dev@example.com|(503) 555-0111',
      'Mina|Patel||',
    ]);
  });

  test('a list of tenants of AppFolio: last names first, labels before numbers, address in the property', async () => {
    const { all } = await roll(fixture('appfolio-tenants.csv'));
    expect(contacts(all)).toEqual([
      'Ada|Okafor|ada@example.com|(503) 555-0101',
      'Bo|Lind|bo@example.com|(503) 555-0103',
    ]);
    expect(all.properties).toMatchObject([
      { name: 'Maple Court', address: '12 Maple St', city: 'Portland', state: 'OR', postal_code: '97201' },
    ]);
    // Bo has given notice and leaves on the last day.
    expect(lines(all).map((line) => line.split(' | ').slice(0, 4))).toEqual([
      ['Maple Court 1A', 'Ada Okafor', '2026-01-01', '2026-12-31'],
      ['Maple Court 1B', 'Bo Lind', '2025-03-15', '2026-12-31'],
    ]);
  });

  test('a rent roll of AppFolio: properties as rows of their own, sums, vacant units, totals', async () => {
    const { report, all } = await roll(fixture('appfolio-rent-roll.csv'));
    expect(all.unitNames).toEqual(['Birch Row 1', 'Maple Court 1A', 'Maple Court 1B', 'Maple Court 2A']);
    expect(lines(all)).toEqual([
      'Birch Row 1 | Cy Young + Di Young | 2024-05-01 |  | 900 | 450 | -12.5',
      'Maple Court 1A | Ada Okafor | 2026-01-01 | 2027-12-31 | 1250 | 1250 | 1250',
    ]);
    expect(all.units).toMatchObject([
      { name: '1A', bedrooms: 2, bathrooms: 1.5, status: 'occupied' },
      { name: '1B', bedrooms: 0, bathrooms: 1, status: 'vacant', market_rent_cents: 99_500 },
      { name: '2A', status: 'vacant' },
      { name: '1', status: 'occupied' },
    ]);
    expect(report?.skipped).toBe(6);
  });

  test('leases of DoorLoop', async () => {
    const { all } = await roll(fixture('doorloop-leases.csv'));
    expect(lines(all)).toEqual([
      'Pine Flats A | Eva Ruiz | 2026-04-01 | 2027-03-31 | 975 | 975 | 0',
      'Pine Flats B | Finn Olsen | 2025-07-20 |  | 925 | 500 | 925',
    ]);
  });

  test('tenants of Rentec', async () => {
    const { all } = await roll(fixture('rentec-tenants.csv'));
    expect(lines(all)).toEqual(['Birch House 1 | Gus Hale | 2026-05-15 | 2027-05-14 | 800 | 800 | 0']);
    expect(all.properties).toMatchObject([{ address: '9 Birch Ave', city: 'Bend', postal_code: '97701' }]);
    expect(all.tenants).toMatchObject([{ external_id: '5001', phone: '541-555-0130' }]);
  });

  test('leases of TenantCloud', async () => {
    const { all } = await roll(fixture('tenantcloud-leases.csv'));
    expect(lines(all)).toEqual([
      'Cedar Park A | Hal Ives + Ida Ives | 2026-03-01 | 2027-02-28 | 1100 | 1100 | 0',
      'Cedar Park B | Jo Kerr | 2025-09-15 |  | 1050 |  | 210',
    ]);
  });

  test('tenants of microrealestate, which have no rent, so no lease: a note says so', async () => {
    const { report, all } = await roll(fixture('microrealestate-tenants.csv'));
    expect(report?.notes).toEqual(['There is no column for the rent, so no leases are made. (2 rows)']);
    expect(contacts(all)).toEqual(['Jane|Doe||', 'Léa|Petit||']);
    expect(all.unitNames).toHaveLength(2);
  });

  test('a homemade spreadsheet: rows with errors are left out, corrected and imported, and nothing is duplicated', async () => {
    const client = await service.client();
    const text = fixture('spreadsheet-rent-roll.csv');
    const refused = await importCsv(service, client, { rent_roll: text });
    expect(refused).toMatchObject({ ok: false, files: [{ status: 'failed' }] });
    expect((await client.get('/properties')).body.count).toBe(0);

    const { report, surveys } = await importSurveyed(client, text, { skipErrors: true });
    expect(report).toMatchObject({ ok: true, files: [{ status: 'applied', left_out: 2 }] });
    expect(report.files[0]?.errors).toEqual([
      { line: 6, column: 'E-Mail Addr.', reason: 'Must be an e-mail address.' },
      { line: 9, column: 'Move In', reason: expect.stringContaining('month first') },
    ]);
    const before = await everything(client);
    expect(before.unitNames).toEqual(['Elm Court 101', 'Elm Court 102', 'Elm Court 103', 'Elm Court 104']);
    expect(lines(before).map((line) => line.split(' | ').slice(0, 6))).toEqual([
      ['Elm Court 101', 'Ana Garcia + Luis Garcia', '2025-03-01', '2027-02-28', '1295', '1295'],
      ['Elm Court 102', 'Duplicate Person', '2026-01-01', '', '900', ''],
      ['Elm Court 104', 'Jörg Müller', '2025-07-15', '2026-07-14', '980', '980'],
    ]);

    const [sheet] = surveys;
    const rejected = sheet ? ((await rejectedRows(sheet)) ?? '') : '';
    expect(readCsv(rejected).map((row) => [row.Line, row['Apt #'], row['What is wrong']])).toEqual([
      ['6', '102', 'E-Mail Addr.: Must be an e-mail address.'],
      ['9', '105', expect.stringContaining('Move In: ')],
    ]);
    const mended = rejected
      .replace('pat@example,', 'pat@example.com,')
      .replace('13/02/2026', '2026-02-13')
      .replace(',102,', ',106,');
    const second = await importAll(service, client, { rent_roll: mended });
    expect(second.files[0]?.ignored_columns).toEqual([]);
    const after = await everything(client);
    expect(after.properties).toHaveLength(1);
    expect(after.unitNames).toHaveLength(6);
    expect(lines(after)).toHaveLength(5);
    const third = await importAll(service, client, { rent_roll: mended });
    expect(third.files[0]).toMatchObject({ create: 0, update: 0 });
  });
});

async function importSurveyed(client: Client, text: string, more: Partial<ImportRequest>) {
  const request: ImportRequest = {
    accountId: client.accountId,
    actor: { ...operator, type: 'import' },
    files: [{ kind: 'rent_roll', source: memorySource('roll.csv', Buffer.from(text)), mapping: {} }],
    dateOrder: null,
    dryRun: false,
    events: true,
    now,
    waitMs: 10_000,
    ...more,
  };
  const surveys = await surveyFiles(request);
  return { surveys, report: await importFiles(service.database.db, request, surveys) };
}

describe('a rent roll', () => {
  test.each([
    [
      'German',
      'Objekt;Wohnung;Mieter;E-Mail;Telefon;Mietbeginn;Mietende;Kaltmiete;Kaution;Saldo;Wohnfläche (m²)\n' +
        'Lindenhof;1;Müller, Jörg;joerg@example.com;0170 1234567;01.03.2025;unbefristet;1.250,50 €;2.500,00 €;-20,00;80\n' +
        'Lindenhof;2;Leerstand;;;;;;;;60,5\n',
    ],
    [
      'French',
      'Immeuble;Lot;Locataire;Courriel;Téléphone;Début du bail;Fin du bail;Loyer;Dépôt de garantie;Solde;Surface\n' +
        'Lindenhof;1;MÜLLER Jörg;joerg@example.com;0170 1234567;1er mars 2025;;1 250,50 €;2 500,00 €;-20,00;80\n' +
        'Lindenhof;2;vacant;;;;;;;;60,5\n',
    ],
    [
      'Spanish',
      'Inmueble,Piso,Nombre,Apellidos,Correo electrónico,Móvil,Fecha de inicio,Fecha de fin,Alquiler,Fianza,Saldo pendiente,Superficie\n' +
        'Lindenhof,1,Jörg,Müller,joerg@example.com,0170 1234567,1 de marzo de 2025,indefinido,"1.250,50","2.500,00","(20,00)",80\n' +
        'Lindenhof,2,,,,,,,,,,"60,5"\n',
    ],
  ])('with %s headers', async (_language, text) => {
    const { all, report } = await roll(text);
    expect(report?.ignored_columns).toEqual([]);
    expect(all.unitNames).toEqual(['Lindenhof 1', 'Lindenhof 2']);
    expect(all.units).toMatchObject([{ area_sqft: 861 }, { area_sqft: 651 }]);
    const [lease = ''] = lines(all);
    expect(lease.replace('MÜLLER Jörg', 'Jörg Müller')).toBe(
      'Lindenhof 1 | Jörg Müller | 2025-03-01 |  | 1250.5 | 2500 | -20',
    );
    expect(all.tenants).toMatchObject([{ email: 'joerg@example.com', phone: '0170 1234567' }]);
  });

  test('with a property as its title, two rows of headers, merged cells, pages and sums', async () => {
    const { all, report } = await roll(
      [
        'Maple Court Rent Roll,,,,,,',
        'Property: Maple Court,,,,,,',
        'As of 11/16/2026,,,,,,',
        ',,Lease,,Market,Security,',
        'Unit,Resident(s),Start,Exp,Rent,Deposit,Mo. Rent',
        '101,"Patel, Dev & Mina",3/1/2026,M-T-M,"1,300",500,"$1,250.00"',
        '102,"Shah, Raj; Rao, Uma",4/15/2026,4/14/2027,"1,300",500,"1,275"',
        ',"Lee, Ann",,,,,',
        'Unit 103 - Vacant,,,,"1,350",,',
        'Page 1 of 2,,,,,,',
        'Unit,Resident(s),Start,Exp,Rent,Deposit,Mo. Rent',
        '104,VACANT,,,,,',
        'Subtotal,,,,"3,950","1,000","2,525"',
        'Grand Total: 4 units,,,,"3,950","1,000","2,525"',
        'Printed 11/16/2026 by Ada,,,,,,',
      ].join('\n'),
    );
    expect(lines(all).map((line) => line.split(' | ').slice(0, 6))).toEqual([
      ['Maple Court 101', 'Dev Patel + Mina Patel', '2026-03-01', '', '1250', '500'],
      ['Maple Court 102', 'Ann Lee + Raj Shah + Uma Rao', '2026-04-15', '2027-04-14', '1275', '500'],
    ]);
    expect(all.unitNames).toEqual([
      'Maple Court 101',
      'Maple Court 102',
      'Maple Court 104',
      'Maple Court Unit 103',
    ]);
    expect(report?.rows).toBe(5);
  });

  test('by addresses alone: each is a property, and a part of one is its unit', async () => {
    const { all, report } = await roll(
      'MY RENTALS\n,,,\nAddress,Tenant,Phone #,Rent,Due,Lease ends\n' +
        '12 Elm St,Bob & Sue Jones,555-123-4567,"$1,200",1st,6/30/2027\n14 Elm St,Vacant,,,,\n' +
        '16 Elm St Apt 2,Al Green,(555) 987-6543,$950,5th,month to month\nTOTAL,,,"$2,150",,\n',
    );
    expect(all.unitNames).toEqual(['12 Elm St Main', '14 Elm St Main', '16 Elm St 2']);
    expect(lines(all).map((line) => line.split(' | ').slice(0, 2))).toEqual([
      ['12 Elm St Main', 'Bob Jones + Sue Jones'],
      ['16 Elm St 2', 'Al Green'],
    ]);
    expect(report?.notes).toEqual([
      expect.stringMatching(/^Leases without a first day start on .*\(2 rows\)$/),
    ]);
  });

  test('with codes beside the names, and a title in place of a property', async () => {
    const { all } = await roll(
      'Rent Roll with Lease Charges\nOakwood Village\nAs Of = 11/16/2026\n' +
        'Unit,Unit,Resident,Name,Market,Actual,Resident,Move In,Lease,Balance\n' +
        ',Sq Ft,,,Rent,Rent,Deposit,,Expiration,\nCurrent/Notice/Vacant Residents,,,,,,,,,\n' +
        'A-101,700,t0001,"Adams, Kim","1,100.00","1,050.00",500.00,03/01/2025,02/28/2027,0.00\n' +
        'A-102,700,VACANT,VACANT,"1,100.00",0.00,0.00,,,0.00\n',
    );
    expect(all.unitNames).toEqual(['Oakwood Village A-101', 'Oakwood Village A-102']);
    expect(lines(all)).toEqual([
      'Oakwood Village A-101 | Kim Adams | 2025-03-01 | 2027-02-28 | 1050 | 500 | 0',
    ]);
  });

  test('whose columns are recognised by their contents, and whose existing records are found in any letter case', async () => {
    const client = await service.client();
    const property = await make.property(client, {
      name: 'Elm Court',
      city: 'Salem',
      units: [{ name: 'A1' }],
    });
    await make.tenant(client, { first_name: 'Dev', last_name: 'Patel' });
    const text =
      'Bldg,Apt,Who Lives There (Tenant),Reach them,Ring,Lease Start,Status,Rent\n' +
      'ELM COURT,a1,DEV PATEL,dev@example.com,503-555-0101,2026-01-01,Occupied,900\n' +
      ',A2,,,,,Vacant,\n';
    const map = { 'Who Lives There (Tenant)': 'tenants' };
    const report = await importAll(service, client, { rent_roll: text }, { map });
    expect(
      report.files[0]?.parts.map(({ create, update, unchanged }) => [create, update, unchanged]),
    ).toEqual([
      [0, 0, 1],
      [1, 0, 1],
      [0, 1, 0],
      [1, 0, 0],
    ]);
    expect(report.files[0]?.notes.slice(0, 2)).toEqual([
      'Column "Reach them" is taken for email, by its contents.',
      'Column "Ring" is taken for phone, by its contents.',
    ]);
    const all = await everything(client);
    expect(all.properties).toMatchObject([
      { id: property.id, name: 'Elm Court', city: 'Salem', status: 'active' },
    ]);
    expect(contacts(all)).toEqual(['Dev|Patel|dev@example.com|503-555-0101']);
    expect(all.unitNames).toEqual(['Elm Court A1', 'Elm Court A2']);
  });

  test('does not go by the contents of a column whose header says something else', async () => {
    const header =
      'Property,Unit,Tenant,Late Fee,Last Inspection,Insurance Exp,Manager Email,Emergency Contact,Storage';
    const { all, report } = await roll(
      `${header}\nElm,1,Ann Lee,$50.00,2026-01-05,2027-01-31,boss@example.com,503-555-0101,$20.00\n`,
    );
    expect(report?.ignored_columns).toEqual(header.split(',').slice(3));
    expect(contacts(all)).toEqual(['Ann|Lee||']);
    const vague = await roll(
      'Property,Unit,Tenant,Column 4,Column 5,\nElm,1,Ann Lee,2026-01-05,2027-01-31,$900.00\n',
    );
    expect(lines(vague.all)[0]).toContain('Elm 1 | Ann Lee | 2026-01-05 | 2027-01-31 | 900 |');
    expect(vague.report?.notes).toContain('Column 6 is taken for rent, by its contents.');
  });

  test('distinguishes people from vacant or closed units with the same word', async () => {
    const names = [
      'Office Depot Inc',
      'Storage Solutions LLC',
      'Libre Torres',
      '"Frei, Anna"',
      '"Model, Peter"',
    ];
    const units = [
      '** VACANT **',
      'Vacant - ready',
      'vacant-unrented',
      'Vacant (formerly Lee)',
      'frei ab 1.12.',
      'Model unit',
    ];
    const rows = [...names.map((name) => `${name},2026-01-01,900`), ...units.map((name) => `${name},,`)];
    const { all } = await roll(
      `Property,Unit,Tenant,Start,Rent\n${rows.map((row, at) => `Elm,${at + 1},${row}\n`).join('')}`,
    );
    expect(all.leases.map(({ tenants }: Shown) => tenants).toSorted()).toEqual([
      'Anna Frei',
      'Libre Torres',
      'Office Depot Inc',
      'Peter Model',
      'Storage Solutions LLC',
    ]);
    expect(all.tenants).toHaveLength(names.length);
    expect(all.units.map(({ status }: { status: string }) => status)).toEqual([
      ...names.map(() => 'occupied'),
      ...units.slice(1).map(() => 'vacant'),
      'offline',
    ]);
  });

  test.each(['Balance', 'Opening Balance'])(
    'with an empty cell for the %s says that nothing is owed',
    async (header) => {
      const text =
        `As of 2026-11-16\nProperty,Unit,Tenant,Start,Rent,${header}\nElm,1,Ann Lee,2026-01-01,900,\n` +
        'Elm,2,Bo Roe,2026-01-01,900,-\nElm,3,Cy Poe,2026-01-01,900,25\nElm,4,Di Fox,2090-01-01,900,\n';
      const { client } = await roll(text);
      const before = (await client.get('/leases')).body.data;
      const opening = (one: Record<string, unknown>) => [one.ledger_from, one.opening_balance_cents];
      expect(before.toReversed().map(opening)).toEqual([
        ['2026-11-16', 0],
        ['2026-11-16', 0],
        ['2026-11-16', 2500],
        ['2090-01-01', 0],
      ]);
      const again = await importAll(service, client, { rent_roll: text });
      expect(again.files[0]).toMatchObject({ create: 0, update: 0 });
      expect((await client.get('/leases')).body.data).toEqual(before);
    },
  );

  test('by what it says about tenants and units: neither a former tenant nor a vacant unit has a running lease', async () => {
    const { all, report } = await roll(
      'Property,Unit,Tenant,Status,Tenant Status,Vacant,Lease Start,Lease End,Move-out,Rent\n' +
        'Elm,1,Ann Lee,Active,Inactive,,2025-01-01,2090-12-31,,900\n' +
        'Elm,2,Bo Roe,Occupied,Vacated,,2025-01-01,2090-12-31,2025-06-30,900\n' +
        'Elm,3,Cy Poe,Vacant,,,2025-01-01,2090-12-31,,900\n' +
        'Elm,4,Di Fox,,,Yes,2025-01-01,2090-12-31,,900\n' +
        'Elm,5,Ed Kay,Vacant,Current,No,2025-01-01,2090-12-31,,900\n' +
        'Elm,6,Flo May,Vacant-Rented,,,2089-01-01,2090-12-31,,900\n',
    );
    expect(lines(all).map((line) => line.split(' | ').slice(0, 3))).toEqual([
      ['Elm 2', 'Bo Roe', '2025-01-01'],
      ['Elm 5', 'Ed Kay', '2025-01-01'],
      ['Elm 6', 'Flo May', '2089-01-01'],
    ]);
    expect(all.unitNames).toHaveLength(6);
    expect(all.units[1]).toMatchObject({ status: 'vacant' });
    expect(report?.notes).toEqual([
      'Leases that have ended, but without a given end, are left out.',
      'Units that the sheet calls vacant get no lease, even if it names a tenant. (2 rows)',
    ]);
    expect(report?.ignored_columns).toEqual([]);
  });

  test('with rents that are not monthly is refused, and says what to do', async () => {
    const often = ['Monthly', 'per month', 'Weekly', 'Every two weeks', 'Quarterly', 'Yearly', 'jährlich'];
    const text = `Property,Unit,Tenant,Start,Rent,Rent Cycle\n${often
      .map((word, at) => `Elm,${at},Ann Lee,2026-01-01,900,${word}\n`)
      .join('')}`;
    const { files } = await importCsv(service, await service.client(), { rent_roll: text });
    expect(files[0]?.errors).toEqual(
      often.slice(2).map((word, at) => ({
        line: at + 4,
        column: 'Rent Cycle',
        reason: `"${word}": rents are monthly here. Write the rent of a month, and Monthly.`,
      })),
    );
    expect(files[0]?.notes).toEqual([]);
  });

  test('with counts in the column of names has no tenant of that name', async () => {
    const { all } = await roll(
      'Property,Unit,Tenant,Status,Rent,Start\nElm,1,Ann Lee,Current,1250,2026-01-01\nElm,2,,Vacant,,\n' +
        ',,2 Units,50.0% Occupied,1250,\n',
    );
    expect(contacts(all)).toEqual(['Ann|Lee||']);
    expect(all.unitNames).toEqual(['Elm 1', 'Elm 2']);
  });

  test.each([
    ['Due Date', '12/05/2026', 5, []],
    ['Rent Due', '3rd of the month', 3, []],
    ['Rent Due', '31', 28, []],
    ['Rent Due', '"$1,000"', 1, ['Rent Due']],
  ])('with the %s %s makes leases that are due on the %i', async (header, cell, day, ignored) => {
    const { client, report } = await roll(
      `Property,Unit,Tenant,Start,End,Rent,${header}\nElm,1,Ann Lee,01/15/2026,12/31/2090,900,${cell}\n`,
    );
    expect((await client.get('/leases')).body.data).toMatchObject([{ due_day: day }]);
    expect(report?.ignored_columns).toEqual(ignored);
  });

  test('with addresses in the column of phone numbers, and with notes', async () => {
    const { all, report } = await roll(
      'Property,Unit,Tenant,Contact,Bemerkung\nElm,1,Ann Lee,ann12345@example.com,quiet\n' +
        'Elm,2,Bo Roe,"bo@example.com, 503-555-0101",\nElm,3,Cy Poe,503-555-0102 / cy@example.com,\n',
    );
    expect(contacts(all)).toEqual([
      'Ann|Lee|ann12345@example.com|',
      'Bo|Roe|bo@example.com|503-555-0101',
      'Cy|Poe|cy@example.com|503-555-0102',
    ]);
    expect(report?.ignored_columns).toEqual([]);
    expect(all.tenants[0]).toMatchObject({ notes: 'quiet' });
  });

  test('of a later day leaves the ledgers of known leases as they are', async () => {
    const text =
      'As of 2026-10-16\nProperty,Unit,Tenant,Start,Rent,Balance\nElm,1,Ann Lee,2026-01-01,900,25\n';
    const { client } = await roll(text);
    const later = text.replace('2026-10', '2026-11').replace(',25', ',925');
    const { files } = await importAll(service, client, { rent_roll: later });
    expect(files[0]).toMatchObject({ create: 0, update: 0 });
    expect((await client.get('/leases')).body.data).toMatchObject([
      { ledger_from: '2026-10-16', opening_balance_cents: 2500 },
    ]);
  });

  test('whose rows of one lease differ in the rent is refused, and so are two leases of a unit at once', async () => {
    const client = await service.client();
    const text =
      'Property,Unit,Tenant,Start,Rent\nElm,1,Ann Lee,2026-01-01,900\nElm,1,Bo Lee,2026-01-01,800\n' +
      'Elm,2,Cy Lee,2026-01-01,900\nElm,2,Di Roe,2026-02-01,700\n';
    const report = await importCsv(service, client, { rent_roll: text });
    expect(report.files[0]?.errors).toEqual([
      { line: 3, column: 'Rent', reason: 'Line 2 has another amount for the same lease.' },
      { line: 5, column: 'Start', reason: expect.stringContaining('overlap') },
    ]);
    expect((await client.get('/properties')).body.count).toBe(0);
  });

  test('of one account touches nothing of another', async () => {
    const other = await service.client();
    await make.property(other, { name: 'Oak Row', units: [{ name: '101' }] });
    const before = await everything(other);
    await roll(fixture('buildium-rent-roll.csv'));
    expect(await everything(other)).toEqual(before);
  });
});

test('maintenance comes in, finds its place and its tenant, and comes in again without a change', async () => {
  const client = await service.client();
  const property = await make.property(client, { name: 'Maple Court', units: [{ name: '1A' }] });
  const tenant = await make.tenant(client);
  const maintenance = fixture('appfolio-work-orders.csv');
  const report = await importAll(service, client, { maintenance });
  expect(report.files[0]).toMatchObject({
    create: 3,
    ignored_columns: ['Work Order Type', 'Created At', 'Completed On'],
  });
  expect((await client.get('/maintenance')).body.data.toReversed()).toMatchObject([
    {
      number: 1,
      property_id: property.id,
      tenant_id: tenant.id,
      title: 'Kitchen tap drips',
      status: 'completed',
      priority: 'high',
      cost_cents: 8500,
      source: 'import',
    },
    { number: 2, title: 'Heating off', status: 'scheduled', priority: 'medium', assigned_to: 'Warm Co' },
    { number: 3, title: 'Kitchen tap drips', status: 'open', priority: 'low', unit_id: null },
  ]);
  expect((await importAll(service, client, { maintenance })).files[0]).toMatchObject({
    create: 0,
    update: 0,
  });
});

test.each([
  ['buildium-rent-roll', 'Buildium'],
  ['buildium-tenants', 'Buildium'],
  ['buildium-payments', 'Buildium'],
  ['appfolio-rent-roll', 'AppFolio'],
  ['appfolio-tenants', 'AppFolio'],
  ['appfolio-work-orders', 'AppFolio'],
  ['doorloop-leases', 'DoorLoop'],
  ['rentec-tenants', 'Rentec'],
  ['tenantcloud-leases', 'TenantCloud'],
  ['microrealestate-tenants', 'microrealestate'],
  ['spreadsheet-rent-roll', null],
])('%s is recognised by its headers as %s', async (name, expected) => {
  const source = memorySource(name, Buffer.from(fixture(`${name}.csv`)));
  const { columns } = await survey(fileKind('rent_roll'), source, { mapping: {}, dateOrder: null });
  expect(presetOf(columns.map(({ header }) => header))).toBe(expected);
});
