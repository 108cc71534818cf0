import { buffer } from 'node:stream/consumers';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importAll, importCsv } from '../../../test/support/csv.ts';
import { make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { dayNumber, type SheetCell, workbook } from '../../../test/support/xlsx.ts';
import { memorySource } from '../../csv/source.ts';
import { importNextFile } from '../queue/importer.ts';
import { readFormat, shownNumber } from './number-formats.ts';
import { readWorkbook } from './workbook.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const dollars = (value: number) => ({ value, format: '_("$"* #,##0.00_)' });
const date = (day: string) => ({ value: dayNumber(day), format: 'm/d/yyyy' });

const header = [
  'Property',
  'Unit',
  'Tenant',
  'Lease Start',
  'Lease End',
  'Rent',
  'Security Deposit',
  'Phone',
  'Zip',
];
const roll: SheetCell[][] = [
  ['Rent Roll as of March 2026'],
  [],
  header,
  [
    'Maple Court',
    '1A',
    'Ada Okafor\nBen Okafor',
    date('2025-03-01'),
    date('2026-02-28'),
    dollars(1250.5),
    dollars(1250),
    { value: 5_551_234_567, format: '[<=9999999]###-####;(###) ###-####' },
    { value: 501, format: '00000' },
  ],
  ['Maple Court', '1B', 'VACANT', '', '', dollars(990.004)],
  ['Maple Court', 2, 'Cleo Martin', date('2025-07-15'), '', { value: 1100, format: '#,##0.00' }, dollars(0)],
];
const rollAsCsv = `Rent Roll as of March 2026

${header.join(',')}
Maple Court,1A,"Ada Okafor
Ben Okafor",3/1/2025,2/28/2026,"$1,250.50","$1,250.00",5551234567,00501
Maple Court,1B,VACANT,,,$990.00
Maple Court,2,Cleo Martin,7/15/2025,,"1,100.00",$0.00
`;

/** The records of an account, without the values that are new in each account. */
async function recordsOf(client: Client): Promise<unknown> {
  const lists = ['properties', 'units', 'tenants', 'leases', 'charges'];
  const all = await Promise.all(lists.map(async (list) => (await client.get(`/${list}`)).body.data));
  return JSON.parse(
    JSON.stringify(all, (key, value) =>
      /(^|_)id$|_ids$|_at$|^(lease|unit|property)$/.test(key) ? undefined : value,
    ),
  );
}

test('a workbook is read like the CSV saved from it', async () => {
  const [one, other] = [await service.client(), await service.client()];
  const fromCsv = await importAll(service, one, { rent_roll: rollAsCsv });
  const fromSheet = await importAll(service, other, { rent_roll: workbook({ Sheet1: roll }) });
  expect(fromSheet).toEqual(fromCsv);
  expect(await recordsOf(other)).toEqual(await recordsOf(one));
  expect((await other.get('/tenants')).body.data).toHaveLength(3);
});

test('the sheet with the known headers is read, and errors name its rows', async () => {
  const client = await service.client();
  const tenants = [
    [],
    ['Name', 'Email', 'Notes'],
    ['Ada Okafor', 'ada@example.com', 'Has a dog\nand a cat'],
    [],
    ['Dev Patel', 'dev at example'],
  ];
  const sheets = { Summary: [['Tenants', 2]], 'Our "Tenants"': tenants, Empty: [] };
  const report = await importCsv(service, client, { tenants: workbook(sheets) });
  expect(report.files[0]).toMatchObject({
    status: 'failed',
    errors: [{ line: 5, column: 'Email' }],
    notes: ['Only the sheet "Our \\"Tenants\\"" of the workbook is read.'],
  });
});

test('a workbook can be sent by API, and its bad rows come back as CSV', async () => {
  const client = await service.client();
  const form = new FormData();
  form.set('kind', 'tenants');
  form.set('skip_errors', 'true');
  const rows = [
    ['Name', 'Email'],
    ['Ada Okafor', 'ada@example.com'],
    ['Dev Patel', 'dev at example'],
  ];
  form.set('file', new Blob([Uint8Array.from(workbook({ People: rows }))]), 'people.xlsx');
  const sent = await fetch(`${service.url}/api/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}` },
    body: form,
  });
  expect(sent.status).toBe(201);
  const { data } = (await sent.json()) as { data: { id: string } };
  await importNextFile(service.app, new AbortController().signal);
  const done = (await client.get(`/imports/${data.id}`)).body.data;
  expect(done).toMatchObject({ state: 'applied', file: 'people.xlsx', create: 1, left_out: 1, rejected: 1 });
  expect((await client.get(`/imports/${data.id}/rejected`)).body.data.csv).toContain('dev at example');
});

describe('a malicious workbook', () => {
  const rowOf = (row: string) => `<worksheet><sheetData>${row}</sheetData></worksheet>`;
  const sheet1 = 'xl/worksheets/sheet1.xml';
  const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${rowOf('<row><c t="str"><v>&b;</v></c></row>')}`;
  const cases: Record<string, [Buffer, RegExp]> = {
    'is cut off': [workbook({ S: roll }).subarray(0, 900), /is damaged/],
    'has broken XML': [workbook({ S: roll }, { [sheet1]: '<worksheet><row>' }), /is damaged/],
    'defines entities': [workbook({ S: roll }, { [sheet1]: laughs }), /is damaged/],
    'has a cell far out': [
      workbook({ S: roll }, { [sheet1]: rowOf('<row><c r="XFD1"><v>1</v></c></row>') }),
      /more than 1000 columns/,
    ],
    'has a row that cannot be': [
      workbook({ S: roll }, { [sheet1]: rowOf('<row r="99999999"><c><v>1</v></c></row>') }),
      /too large/,
    ],
    'is nested without end': [workbook({ S: roll }, { [sheet1]: '<a>'.repeat(1_000_000) }), /too large/],
    'has a text without end': [
      workbook({ S: roll }, { [sheet1]: rowOf(`<row><c><v>${'1'.repeat(20_000_000)}</v></c></row>`) }),
      /too large/,
    ],
    'is another packed file': [
      Buffer.from(zipSync({ 'a.txt': new Uint8Array(3) })),
      /a packed file, not CSV or XLSX/,
    ],
    'is an OpenDocument sheet': [Buffer.from(zipSync({ 'content.xml': new Uint8Array(3) })), /ODS/],
  };
  test.each(Object.entries(cases))('and %s is refused with a reason', async (_, [bytes, reason]) => {
    const client = await service.client();
    const { files } = await importCsv(service, client, { tenants: bytes });
    expect(files[0]?.errors).toMatchObject([{ line: 1, reason: expect.stringMatching(reason) }]);
  });

  test('is refused before it is unpacked if that would be too much, and if it is more than it said', async () => {
    const client = await service.client();
    const reasonFor = async (saidBytes: number) => {
      const book = workbook({ S: roll });
      // The size is in the directory at the end of the file, whose last entry is the sheet.
      book.writeUInt32LE(saidBytes, book.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 24);
      return (await importCsv(service, client, { tenants: book })).files[0]?.errors[0]?.reason;
    };
    expect(await reasonFor(600 * 1024 * 1024)).toMatch(/too large/);
    expect(await reasonFor(100)).toMatch(/is damaged/);
  });
});

test('while a large workbook is read, others are answered', async () => {
  const [client, other] = [await service.client(), await service.client()];
  await make.tenant(other);
  const rows = Array.from({ length: 4_000 }, (_, n) => [`T${n}`, 'Ada', `Okafor ${n}`]);
  const book = workbook({ Tenants: [['Tenant ID', 'First Name', 'Last Name'], ...rows] });
  let isOver = false;
  const imported = importCsv(service, client, { tenants: book }, { dryRun: true }).finally(() => {
    isOver = true;
  });
  let answered = 0;
  while (!isOver) {
    expect((await other.get('/tenants')).body.count).toBe(1);
    answered++;
  }
  expect((await imported).files[0]).toMatchObject({ create: 4_000, error_count: 0 });
  expect(answered).toBeGreaterThan(3);
});

test('hidden sheets, rich texts and the other ways to write a cell are understood', async () => {
  const row = [
    '<c t="inlineStr"><is><r><t>Ada </t></r><r><t>Okafor</t></r><rPh><t>ignored</t></rPh></is></c>',
    '<c t="str"><f>A1&amp;"x"</f><v>by formula</v></c>',
    '<c t="b"><v>1</v></c>',
    '<c t="e"><v>#N/A</v></c>',
    '<c t="d"><v>2026-03-01T00:00:00</v></c>',
    '<c r="H1" t="inlineStr"><is><t>a_x000D_b</t></is></c>',
  ];
  const book = workbook(
    { Hidden: [['No']], Seen: [] },
    {
      'xl/workbook.xml':
        '<x:workbook xmlns:x="x" xmlns:r="r"><x:sheets><x:sheet name="Hidden" state="hidden" r:id="rId1"/><x:sheet name="Seen" r:id="rId2"/></x:sheets></x:workbook>',
      'xl/worksheets/sheet2.xml': `<x:worksheet xmlns:x="x"><x:row>${row.join('').replaceAll(/<(\/?)/g, '<$1x:')}</x:row></x:worksheet>`,
    },
  );
  const read = await readWorkbook(memorySource('b.xlsx', book), async () => 0);
  if (typeof read === 'string') throw new Error(read);
  expect(read.sheet).toBeNull();
  expect((await buffer(read.source.open())).toString()).toBe(
    'Ada Okafor,by formula,TRUE,#N/A,2026-03-01,,,a\u2028b\r\n',
  );
});

test.each([
  ['45717', 'm/d/yyyy', '2025-03-01'],
  ['45717.5', 'yyyy-mm-dd hh:mm', '2025-03-01 12:00'],
  ['45717', '[$-409]mmmm d, yyyy;@', '2025-03-01'],
  ['0.75', 'h:mm AM/PM', '18:00'],
  ['1', 'd.m.yyyy', '1900-01-01'],
  ['1250.5', 'General', '1250.5'],
  ['1250.0999999999999', 'General', '1250.1'],
  ['5551234567', 'General', '5551234567'],
  ['1.2345E+15', 'General', '1234500000000000'],
  ['1250.3333333', '#,##0.00', '1250.33'],
  ['-50', '"$"#,##0.00;[Red]("$"#,##0.00)', '-$50.00'],
  ['1250', '#,##0.00\\ "€"', '€1250.00'],
  ['1250', '[$£-809]#,##0', '£1250'],
  ['1250', '[$CHF] #,##0.00', 'CHF1250.00'],
  ['0.05', '0.0%', '5.0%'],
  ['501', '00000', '00501'],
  ['3', '0 "days"', '3'],
  ['-1', 'm/d/yyyy', '-1'],
])('%s shown as %s is %s', (value, format, shown) => {
  expect(shownNumber(value, readFormat(format), false)).toBe(shown);
});
