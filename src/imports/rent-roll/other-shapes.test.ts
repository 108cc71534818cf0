import { afterAll, beforeAll, expect, test } from 'vitest';
import { importAll, importCsv } from '../../../test/support/csv.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

/* Sheets as other people make them. Nothing in them may be lost without a message. */

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const list = async (client: Client, path: string) => (await client.get(path)).body.data.toReversed();

interface Lease {
  id: string;
  property: { name: string };
  unit: { name: string };
  tenants: { name: string }[];
  start_date: string;
  end_date: string | null;
  rent_cents: number;
}

/** Each lease in one line, with what is owed. */
async function leasesOf(client: Client): Promise<string[]> {
  const owed = new Map(
    (await list(client, '/balances?limit=200')).map((one: { lease_id: string; balance_cents: number }) => [
      one.lease_id,
      one.balance_cents / 100,
    ]),
  );
  const leases: Lease[] = await list(client, '/leases?limit=200&expand=tenant,unit,property');
  return leases.map(({ id, property, unit, tenants, start_date, end_date, rent_cents }) =>
    [
      `${property.name} ${unit.name}`,
      tenants.map(({ name }) => name).join(' + '),
      `${start_date} to ${end_date ?? 'open'}`,
      rent_cents / 100,
      owed.get(id),
    ].join(' | '),
  );
}

async function roll(text: string) {
  const client = await service.client();
  const { files } = await importAll(service, client, { rent_roll: text });
  return { client, report: files[0], leases: await leasesOf(client) };
}

test('properties as lines above their units, serial dates, credits, rents a month, and months in several spellings', async () => {
  const { leases } = await roll(
    [
      'Unit,Tenant,Rent,Lease Start,Lease End,Balance',
      'Maple House,,,,,',
      '1,Dev and Mina Patel,"1,250.00/mo",45658,47848,50.00 DR',
      '2,"Acme, Inc.",2000 per month,1/13/2025,MTM (30 days),"$1,250.00 CR"',
      '3,Vacant,,,,',
      ',,3250,,,-1200',
      'Oak House,,,,,',
      '1,"van der Berg, Anna",900,"Jan 5, 2026",m/m,(35.00)',
      "2,Dr. Sam O'Neil Jr.,950,5-Jan-26,Mo-to-Mo,35.00-",
      'TOTALS,,5100,,,',
    ].join('\n'),
  );
  expect(leases).toEqual([
    'Maple House 1 | Dev Patel + Mina Patel | 2025-01-01 to 2030-12-31 | 1250 | 50',
    'Maple House 2 | Acme Inc. | 2025-01-13 to open | 2000 | -1250',
    'Oak House 1 | Anna van der Berg | 2026-01-05 to open | 900 | -35',
    "Oak House 2 | Sam O'Neil Jr. | 2026-01-05 to open | 950 | -35",
  ]);
});

test('units identified by addresses in one line', async () => {
  const { client, leases } = await roll(
    [
      'Address,Tenant,Ph #,Rent Amt,Lease Begins',
      '"14 Oak St Unit B, Bend, OR 97701",J. R. Smith,541-555-0102 cell 541-555-0103 work,1100,6/15/25',
      '"14 Oak St Unit C, Bend, OR 97701",Robert Hill,,1000,6/1/25',
      '"16 Oak St, Bend, OR 97701",VACANT,,,',
    ].join('\n'),
  );
  expect(leases.map((lease) => lease.split(' | ')[0])).toEqual(['14 Oak St B', '14 Oak St C']);
  const address = { city: 'Bend', state: 'OR', postal_code: '97701' };
  expect(await list(client, '/properties')).toMatchObject([
    { name: '14 Oak St', address: '14 Oak St', ...address },
    { name: '16 Oak St', address: '16 Oak St', ...address },
  ]);
  expect((await list(client, '/tenants'))[0]).toMatchObject({ phone: '541-555-0102' });
});

test('a company is a tenant, and a lease that names nobody is not taken for a vacant unit', async () => {
  const header =
    'First Name,Last Name,Company Name,Email,Current Property,Current Unit,Lease Status,Rent,Start';
  const { leases } = await roll(
    `${header}\nEva,Ruiz,,,Pine,A,Active,975,2026-04-15\n,,"Hansen & Sons, LLC",,Pine,B,Active,1975,2026-04-15\n`,
  );
  expect(leases.map((lease) => lease.split(' | ')[1])).toEqual(['Eva Ruiz', 'Hansen & Sons LLC']);
  const client = await service.client();
  const rows = ',,,,Pine,A,Active,975,2026-04-15\n,,,x@example.com,Pine,B,,,\n,,,,Pine,C,,975,\n';
  const { files } = await importCsv(service, client, { rent_roll: `${header}\n${rows}` }, { dryRun: true });
  expect(files[0]?.errors.map(({ line, column }) => [line, column])).toEqual([
    [2, 'Last Name'],
    [3, 'Last Name'],
  ]);
});

test('the term of a lease as both its days, a second tenant in a separate column, and a manager who rents nothing', async () => {
  const { client, leases } = await roll(
    [
      'Liegenschaft;Einheit;Mieter 1;Mieter 2;Lease Term;Nettokaltmiete',
      'Am Markt 1, 80331 München;WE 1;Schmidt, Hans;Schmidt, Ute;15.06.2025 - 14.06.2027;1.100,00',
      "Am Markt 1, 80331 München;WE 2;Manager's Unit (Kim);;;",
    ].join('\n'),
  );
  expect(leases).toMatchObject([
    expect.stringContaining('Am Markt 1 WE 1 | Hans Schmidt + Ute Schmidt | 2025-06-15 to 2027-06-14 | 1100'),
  ]);
  expect(await list(client, '/properties')).toMatchObject([{ address: 'Am Markt 1', city: 'München' }]);
  expect(await list(client, '/units')).toMatchObject([{ status: 'occupied' }, { status: 'offline' }]);
});

test('other charges on lines of their own are reported as left out', async () => {
  const { leases, report } = await roll(
    'Property: Oakwood\nUnit,Resident,Charge Code,Amount,Move In\nA-1,"Adams, Kim",rent,"1,050.00",03/15/2026\n' +
      ',,pet,35.00,\n,,Total,"1,085.00",\n',
  );
  expect(leases).toHaveLength(1);
  expect(report?.ignored_columns).toEqual(['Charge Code']);
  expect(report?.notes).toContain('Lines that name neither a unit nor a tenant are left out.');
});

test.each([
  ['AppFolio', 'Property,Unit,Tenant,Rent,Lease From,Lease To', '2026-01-05 to 2027-01-04', 'month first'],
  [
    'French',
    'Immeuble,Lot,Locataire,Loyer,Début du bail,Fin du bail',
    '2026-05-01 to 2027-04-01',
    'day first',
  ],
])(
  'dates that may be read in two ways are read as in %s, and it is said',
  async (_from, header, dates, order) => {
    const { leases, report } = await roll(`${header}\nElm,1,"Lee, Kim",900,01/05/2026,01/04/2027\n`);
    expect(leases[0]).toContain(dates);
    expect(report?.notes).toContainEqual(expect.stringContaining(`Dates are read ${order}`));
  },
);

test('both days of a lease in one cell are read in the order that others of the column show', async () => {
  const { leases } = await roll(
    'Property,Unit,Tenant,Rent,Lease Dates\nElm,1,Kim Lee,900,01/05/2026 - 01/04/2027\nElm,2,Bo Lind,900,28/02/2026 - 27/02/2027\n',
  );
  expect(leases.map((lease) => lease.split(' | ')[2])).toEqual([
    '2026-05-01 to 2027-04-01',
    '2026-02-28 to 2027-02-27',
  ]);
});

test('dates that can be read in two ways are refused if nothing shows which is right', async () => {
  const client = await service.client();
  const sheet = 'Property,Unit,Tenant,Rent,Start,End\nElm,1,"Lee, Kim",900,01/05/2026,01/04/2027\n';
  const { files } = await importCsv(service, client, { rent_roll: sheet });
  expect(files[0]?.errors[0]?.reason).toContain('month first or day first');
});

test('work orders and payments find what a rent roll of the same product made', async () => {
  const property = '"Elm Terrace - 200 Elm St Portland, OR 97201"';
  const { client } = await roll(
    [
      'Unit,BD/BA,Tenant,Status,Sqft,Rent,Lease From,Lease To,Past Due',
      `-> ${property.slice(1, -1).replace(/,.*/, '')},,,,,,,,`,
      '101,2/1.00,"Nguyen, Thi",Current,850,"1,450.00",01/15/2026,01/14/2028,0.00',
      '102,2/1.00,"Nguyen, Thi",Current,850,"1,350.00",02/15/2026,02/14/2028,0.00',
    ].join('\n'),
  );
  const [made] = await list(client, '/properties');
  await client.patch(`/properties/${made.id}`, { name: 'Elm Terrace' });
  const work = [
    'Property,Property ID,Priority,Work Order Number,Job Description,Status,Unit,Primary Resident,Work Order Issue',
    `${property},11,Urgent,1001-1,Sink leaks,Completed No Need To Bill,101,"Nguyen, Thi",`,
    `${property},11,Normal,1002-1,Rattles,Waiting,,,HVAC - Fan`,
  ].join('\n');
  await importAll(service, client, { maintenance: work });
  expect(await list(client, '/maintenance')).toMatchObject([
    { title: 'Sink leaks', status: 'completed', priority: 'high', external_id: '1001-1' },
    { title: 'HVAC - Fan', status: 'on_hold', property_id: made.id, unit_id: null },
  ]);
  // The name of a lease is not the id of one.
  const payments = `Receipt Date,Lease,Property,Unit,Payer,Amount,Cash Account\n11/01/2026,Elm Terrace 102: Nguyen,${property},102,"Nguyen, Thi",50.00,1150\n`;
  await importAll(service, client, { payments });
  const [payment] = await list(client, '/payments?expand=unit');
  expect(payment).toMatchObject({ amount_cents: 5000, paid_on: '2026-11-01', unit: { name: '102' } });
});
