import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importAll, importCsv } from '../../test/support/csv.ts';
import { make } from '../../test/support/records.ts';
import { type Client, type Service, testService } from '../../test/support/service.ts';
import { decode, type Encoding } from '../csv/encoding.ts';
import { memorySource } from '../csv/source.ts';
import { kinds } from './kinds/kinds.ts';
import { survey } from './survey.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const fixture = (name: string) =>
  readFileSync(new URL(`../../test/fixtures/csv/${name}`, import.meta.url), 'utf8');
const list = async (client: Client, path: string) => (await client.get(path)).body.data.toReversed();

/** The bytes that Windows programs save: one for each character. */
const inWindows1252 = (text: string) => Buffer.from(text.replaceAll('€', '\x80'), 'latin1');
const inUtf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

describe('files as other systems write them', () => {
  test('reports with titles, totals, odd headers, other encodings and formats all come in', async () => {
    const client = await service.client();
    const report = await importAll(service, client, {
      properties: fixture('report-properties.csv').replaceAll('\n', '\r\n'),
      units: `\ufeff${fixture('rent-roll-units.csv')}`,
      tenants: inWindows1252(fixture('contacts-tenants.csv')),
      leases: inUtf16(fixture('leases-mixed.tsv')),
      payments: fixture('bank-payments.csv'),
    });
    expect(report.files.map(({ create, skipped }) => [create, skipped])).toEqual([
      [3, 1],
      [4, 1],
      [3, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(report.files.map(({ ignored_columns }) => ignored_columns)).toEqual([
      [],
      ['Status'],
      [],
      [],
      ['Buchung'],
    ]);

    expect(await list(client, '/properties')).toMatchObject([
      {
        name: 'Maple Court',
        type: 'multi_family',
        address: '120 Maple St, Bldg A',
        country: 'US',
        external_id: '1001',
      },
      { name: 'Oak "The Manor" House', type: 'single_family', postal_code: '00301' },
      { name: 'Corner Shop', type: 'commercial', country: 'US' },
    ]);
    expect(await list(client, '/units')).toMatchObject([
      { name: '1A', bedrooms: 2, bathrooms: 1, area_sqft: 1050, market_rent_cents: 125_000 },
      { name: '1B', bedrooms: 0, area_sqft: 480, market_rent_cents: 99_000 },
      { name: 'House', bathrooms: 2.5, area_sqft: 2300, market_rent_cents: null },
      { name: 'Shop', bedrooms: null, market_rent_cents: 300_000 },
    ]);
    expect(await list(client, '/tenants')).toMatchObject([
      { first_name: 'Jürgen', last_name: 'Müller', notes: 'Zahlt bar;\nimmer pünktlich', external_id: 'T-1' },
      { first_name: 'Zoë', last_name: 'Brontë', phone: '+44 20 7946' },
      { first_name: 'María José García', last_name: 'López', email: null, notes: '=HYPERLINK("http://x")' },
    ]);
    expect(await list(client, '/leases')).toMatchObject([
      { start_date: '2026-01-15', end_date: null, rent_cents: 125_000, deposit_cents: 125_000, due_day: 1 },
      {
        start_date: '2026-03-04',
        end_date: '2026-12-31',
        rent_cents: 210_050,
        deposit_cents: null,
        due_day: 5,
      },
    ]);
    expect(await list(client, '/payments')).toMatchObject([
      {
        paid_on: '2026-02-01',
        amount_cents: 125_000,
        currency: 'USD',
        method: 'bank_transfer',
        memo: 'Miete "Februar"',
      },
      { paid_on: '2026-03-02', amount_cents: 125_050, method: 'check', memo: null },
      { paid_on: '2026-03-03', amount_cents: 9_900, method: 'online', memo: '+1 für Parkplatz' },
    ]);
  });

  test('every file that came in comes in again without a change', async () => {
    const client = await service.client();
    const files = {
      properties: fixture('report-properties.csv'),
      units: fixture('rent-roll-units.csv'),
      tenants: fixture('contacts-tenants.csv'),
      leases: fixture('leases-mixed.tsv'),
      payments: fixture('bank-payments.csv'),
    };
    await importAll(service, client, files);
    const again = await importAll(service, client, files);
    expect(again.files.map(({ create, update }) => create + update)).toEqual([0, 0, 0, 0, 0]);
  });

  test.each<[string, Encoding, string]>([
    [';', 'windows-1252', 'Straße 5 – 10 €'],
    ['\t', 'utf-16le', 'Straße 5 – 10 €'],
    ['|', 'utf-8', 'Straße 5 – 10 € 🏠'],
    [',', 'utf-16be', 'Straße'],
  ])('cells between %j in %s are found', async (delimiter, encoding, text) => {
    const content = `Name${delimiter}Address\r\nMaple${delimiter}"${text}"\r\n`;
    const bytes = {
      'windows-1252': () => inWindows1252(content.replaceAll('–', '\x96')),
      'utf-16le': () => inUtf16(content),
      'utf-16be': () => inUtf16(content).swap16(),
      'utf-8': () => Buffer.from(content),
    }[encoding]();
    const source = memorySource('p.csv', bytes);
    const found = await survey(kinds.properties, source, { mapping: {}, dateOrder: null });
    expect(found.format).toEqual({ encoding, delimiter });
    expect(found.sample).toEqual([{ line: 2, cells: ['Maple', text] }]);
    let decoded = '';
    for await (const piece of decode(source, encoding)) decoded += piece;
    expect(decoded).toBe(content);
  });
});

describe('dates', () => {
  const header = 'Tenant,Amount,Date Paid\n';
  const row = (date: string) => `Ada Okafor,1,${date}\n`;
  const paidOn = async (dates: string[], dateOrder: 'mdy' | 'dmy' | null = null) => {
    const client = await service.client();
    await make.tenant(client);
    const report = await importCsv(
      service,
      client,
      { payments: header + dates.map(row).join('') },
      { dateOrder },
    );
    const paid = (await list(client, '/payments')).map((one: { paid_on: string }) => one.paid_on);
    return { errors: report.files[0]?.errors, paid };
  };

  test('one date in the column that can be read in only one way settles all', async () => {
    expect((await paidOn(['03/04/2026', '11/15/2026'])).paid).toEqual(['2026-03-04', '2026-11-15']);
    expect((await paidOn(['03/04/2026', '15/11/2026'])).paid).toEqual(['2026-04-03', '2026-11-15']);
    expect((await paidOn(['03-04-26', '15-11-26'])).paid).toEqual(['2026-04-03', '2026-11-15']);
  });

  test('a column that can be read in two ways is refused until somebody chooses', async () => {
    const open = await paidOn(['2026-01-01', '03/04/2026', '05/06/2026']);
    expect(open.errors).toEqual([
      { line: 3, column: 'Date Paid', reason: expect.stringContaining('mdy or dmy') },
    ]);
    expect(open.paid).toEqual([]);
    expect((await paidOn(['03/04/2026'], 'mdy')).paid).toEqual(['2026-03-04']);
    expect((await paidOn(['03/04/2026'], 'dmy')).paid).toEqual(['2026-04-03']);
    expect((await paidOn(['04/04/2026'])).paid).toEqual(['2026-04-04']);
  });

  test('the deciding date may be far down', async () => {
    const many = [...Array.from({ length: 3000 }, () => '03/04/2026'), '13/04/2026'];
    const { paid } = await paidOn(many);
    expect(paid[0]).toBe('2026-04-03');
  });

  test('one that does not fit the others is an error on its line', async () => {
    const { errors } = await paidOn(['11/15/2026', '15/11/2026']);
    expect(errors).toEqual([
      { line: 3, column: 'Date Paid', reason: expect.stringContaining('month first') },
    ]);
  });
});

describe('columns', () => {
  test('a mapping says what a column is, and wins', async () => {
    const client = await service.client();
    await make.property(client);
    const units = 'Haz,Lakas,Unit\nMaple Court,2B,wrong\n';
    const report = await importCsv(service, client, { units });
    expect(report.files[0]?.errors).toEqual([
      { line: 1, column: 'property', reason: expect.stringContaining('The columns are Haz, Lakas, Unit') },
    ]);
    await importAll(service, client, { units }, { map: { Haz: 'property', lakas: 'name', Unit: null } });
    expect(await list(client, '/units')).toMatchObject([{ name: '2B' }]);
  });

  test('a mapping names a header in any script, and no other', async () => {
    const client = await service.client();
    const tenants = ',Имя,Фамилия,Заметка,Телефон\nodd,Ada,Okafor,late payer,555 0100\n';
    const map = { Имя: 'first_name', ФАМИЛИЯ: 'last_name', Телефон: 'phone' };
    await importAll(service, client, { tenants }, { map });
    expect(await list(client, '/tenants')).toMatchObject([
      { first_name: 'Ada', last_name: 'Okafor', phone: '555 0100', notes: null },
    ]);
  });

  test('an unquoted comma in an amount is reported, not taken for a new cell', async () => {
    const client = await service.client();
    await make.tenant(client);
    const report = await importCsv(service, client, {
      payments: 'Tenant,Date,Amount\nAda Okafor,2026-01-01,1,250.00\n',
    });
    expect(report.files[0]?.errors).toMatchObject([{ line: 2, reason: expect.stringContaining('4 cells') }]);
  });

  test('a quote that is never closed is an error, however large the file', async () => {
    const client = await service.client();
    const rows = Array.from({ length: 50_000 }, (_, n) => `Ada,Okafor${n},x@example.com`);
    rows[7] = 'Ada,"Okafor,x@example.com';
    const report = await importCsv(service, client, {
      tenants: `First Name,Last Name,Email\n${rows.join('\n')}`,
    });
    expect(report.files[0]?.errors).toEqual([
      { line: 9, column: null, reason: 'A quote is opened here and never closed.' },
    ]);
  });

  test('a quote that is never closed hides no row that the database refuses, nor what is wrong with the next file', async () => {
    const client = await service.client();
    await importAll(service, client, {
      properties: 'Name\nMaple Court\n',
      units: 'Property,Unit\nMaple Court,1A\n',
      tenants: 'First Name,Last Name\nAda,Okafor\n',
    });
    // The first two overlap.
    const rows = Array.from({ length: 1_200 }, (_, n) => {
      const at = Math.max(n, 1);
      const month = `${1925 + Math.floor(at / 12)}-${String(1 + (at % 12)).padStart(2, '0')}`;
      return `Maple Court,1A,Ada Okafor,${month}-0${n === 0 ? 2 : 1},${month}-28,100`;
    });
    const report = await importCsv(service, client, {
      leases: `Property,Unit,Tenant,Start,End,Rent\n${rows.join('\n')}\n"Maple`,
      payments: 'Tenant,Date,Amount\nNobody Known,2026-01-01,1250.00\n',
    });
    const [leases, payments] = report.files;
    expect(leases?.errors).toMatchObject([
      { line: 3, reason: expect.stringContaining('already has a lease during this time') },
      { line: 1_202, reason: 'A quote is opened here and never closed.' },
    ]);
    expect(payments?.errors).toMatchObject([{ line: 2, column: 'Tenant' }]);
  });

  test('an empty file, and one with a header alone', async () => {
    const client = await service.client();
    const empty = await importCsv(service, client, { tenants: '' });
    expect(empty.files[0]?.errors).toEqual([{ line: 1, column: null, reason: 'The file is empty.' }]);
    const header = await importAll(service, client, { tenants: 'First Name,Last Name\n' });
    expect(header.files[0]).toMatchObject({ status: 'applied', rows: 0 });
  });

  test('lines are counted as an editor counts them, also after cells of several lines', async () => {
    const client = await service.client();
    const tenants = 'First Name,Last Name,Notes\r\nAda,Okafor,"one\r\ntwo\nthree"\r\n\r\nBen,,\r\n';
    const report = await importCsv(service, client, { tenants });
    expect(report.files[0]?.errors).toEqual([{ line: 6, column: 'Last Name', reason: 'Must not be empty.' }]);
  });

  test('reading ends soon after a thousand errors, and the first two hundred are reported', async () => {
    const client = await service.client();
    const rows = Array.from({ length: 5000 }, () => 'Ada,');
    const report = await importCsv(service, client, { tenants: `First Name,Last Name\n${rows.join('\n')}` });
    expect(report.files[0]?.errors).toHaveLength(200);
    // One batch more may be on its way by then.
    expect([1000, 1500]).toContain(report.files[0]?.error_count);
  });
});

describe('amounts', () => {
  const amounts = async (written: string[], more = '') => {
    const client = await service.client();
    await make.tenant(client);
    const rows = written.map((amount, n) => `Ada Okafor,2026-01-${n + 1},"${amount}"${more}`);
    const report = await importCsv(service, client, {
      payments: `Tenant,Date,Amount${more ? ',Currency' : ''}\n${rows.join('\n')}`,
    });
    const paid = await list(client, '/payments');
    return report.files[0]?.errors
      .map(({ reason }) => reason)
      .concat(
        paid.map((one: { amount_cents: number; currency: string }) => `${one.amount_cents} ${one.currency}`),
      );
  };

  test('are read in the usual styles, with their currency', async () => {
    expect(
      await amounts([
        '$1,250.00',
        '1.250,00 €',
        '1250',
        '£ 99.5',
        "CHF 1'250.00",
        '1 250,00',
        'US$ 7',
        '1250.-',
      ]),
    ).toEqual([
      '125000 USD',
      '125000 EUR',
      '125000 USD',
      '9950 GBP',
      '125000 CHF',
      '125000 USD',
      '700 USD',
      '125000 USD',
    ]);
    expect(await amounts(['¥1250'])).toEqual(['1250 JPY']);
    expect(await amounts(['1.250'], ',KWD')).toEqual(['1250000 KWD']);
    expect(await amounts(['38.1234', 'CLF 38.5'], ',CLF')).toEqual(['381234 CLF', '385000 CLF']);
  });

  test('that are malformed, negative, zero or too precise are refused', async () => {
    expect(await amounts(['abc', '(50.00)', '-5', '0', '1.005', '$5 €'])).toEqual([
      '"abc" is not an amount such as 1250.00.',
      'Must be more than zero; it is negative.',
      'Must be more than zero; it is negative.',
      'Must be more than zero.',
      expect.stringContaining('at most 2 decimals'),
      '"$5 €" is not an amount such as 1250.00.',
    ]);
    expect(await amounts(['$5'], ',EUR')).toEqual(['The amount is in USD, the row in EUR.']);
  });
});

describe('people', () => {
  test('several in a cell become several tenants of one lease, whichever name comes first', async () => {
    const client = await service.client();
    const property = await make.property(client);
    for (const name of ['1', '2', '3', '4']) await make.unit(client, { property_id: property.id, name });
    const tenants =
      'Tenant,Email,Phone\n"Dev Patel, Mina Patel","mina@example.com, dev@example.com","Home: 555-0100, Cell: 555-0101"\n' +
      '"Lind, Bo & Ann",,\nCleo Martin,cleo@example.com; cleo@work.example.com,\n';
    const report = await importAll(service, client, { tenants });
    expect(report.files[0]).toMatchObject({ rows: 3, create: 5 });
    expect(await list(client, '/tenants')).toMatchObject([
      { first_name: 'Dev', last_name: 'Patel', email: 'dev@example.com', phone: '555-0101' },
      { first_name: 'Mina', last_name: 'Patel', email: 'mina@example.com', phone: null },
      { first_name: 'Bo', last_name: 'Lind' },
      { first_name: 'Ann', last_name: 'Lind' },
      { first_name: 'Cleo', last_name: 'Martin', email: 'cleo@example.com' },
    ]);
    const again = await importAll(service, client, { tenants });
    expect(again.files[0]).toMatchObject({ create: 0, update: 0, unchanged: 5 });
    const leases =
      'Unit,Tenants,Start,Rent\n1,"Dev Patel, MINA PATEL",2026-01-01,900\n2,"lind, Bo and Ann",2026-01-01,900\n' +
      '3,"Martin, Cleo; Patel, Dev",2026-01-01,900\n4,"mina@example.com, dev@example.com",2026-01-01,900\n';
    await importAll(service, client, { leases });
    const made = await list(client, '/leases');
    expect(made.map((one: { tenant_ids: string[] }) => one.tenant_ids.length)).toEqual([2, 2, 2, 2]);
  });
});
