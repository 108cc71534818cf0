import { afterAll, beforeAll, expect, test } from 'vitest';
import { importAll, importCsv } from '../../../test/support/csv.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';
import { operator } from '../../caller.ts';
import { memorySource } from '../../csv/source.ts';
import { rejectedRows } from '../files/rejected-rows.ts';
import { importFiles, surveyFiles } from '../imports.ts';

/* Sheets of the same portfolio that are sent again: with new addresses, a month later, or with corrected rows. */

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const list = async (client: Client, path: string) => (await client.get(`${path}?limit=1000`)).body.data;

test('two people with the same name and different phones are two, and stay two', async () => {
  const client = await service.client();
  const sheet = [
    'Property,Unit,Tenant,Phone,Rent,Lease Start,Lease End',
    'Elm,1,John Smith,(503) 555-0101,900,2026-01-01,2026-12-31',
    'Elm,2,John Smith,503 555 0102,950,2026-01-01,2026-12-31',
    // The same number with the country code belongs to the same person, who also rents a garage.
    'Elm,G,John Smith,+1 503 555 0101,90,2026-01-01,2026-12-31',
  ].join('\n');
  await importAll(service, client, { rent_roll: sheet });
  expect(await list(client, '/tenants')).toHaveLength(2);
  const again = await importAll(service, client, { rent_roll: sheet });
  expect(again.files[0]).toMatchObject({ create: 0, update: 0 });

  // In a list of tenants, the number distinguishes them too. A third tenant of that name is new.
  const tenants = 'Name,Phone\nJohn Smith,503 555 0102\nJohn Smith,503 555 0103\n';
  const report = await importAll(service, client, { tenants });
  expect(report.files[0]).toMatchObject({ create: 1, unchanged: 1 });
});

test('a new e-mail address or phone in the same unit is the same person’s, and a neighbour’s of that name is not', async () => {
  const client = await service.client();
  const sheet = (rows: string[]) => ['Property,Unit,Tenant,Email,Phone,Rent,Lease Start', ...rows].join('\n');
  const first = ['Elm,1,Ada Lee,ada@example.com,503 555 0101,900,2026-01-01'];
  await importAll(service, client, { rent_roll: sheet(first) });
  const later = ['Elm,1,Ada Lee,ada.lee@example.com,503 555 0199,900,2026-01-01'];
  const report = await importAll(service, client, { rent_roll: sheet(later) });
  expect(report.files[0]).toMatchObject({ create: 0, update: 1 });
  expect(await list(client, '/tenants')).toMatchObject([
    { email: 'ada.lee@example.com', phone: '503 555 0199' },
  ]);
  const both = [...later, 'Elm,2,Ada Lee,,503 555 0777,950,2026-02-01'];
  await importAll(service, client, { rent_roll: sheet(both) });
  expect(await list(client, '/tenants')).toHaveLength(2);
  expect(await list(client, '/leases')).toHaveLength(2);
});

test('a sheet without a column for the start is recognised a month later', async () => {
  const client = await service.client();
  const sheet = 'Property,Unit,Tenant,Rent\nElm,1,Ada Lee,900\nElm,2,Bo Lind,950\n';
  await importAll(service, client, { rent_roll: sheet }, { now: new Date('2026-03-10T12:00:00Z') });
  const later = { now: new Date('2026-06-10T12:00:00Z') };
  const again = await importAll(service, client, { rent_roll: sheet }, later);
  expect(again.files[0]).toMatchObject({ create: 0, update: 0 });
  const raised = sheet.replace('900', '925').replace('Bo Lind', 'Cleo Martin');
  // A new rent changes the lease. A new tenant in a unit that is let is for a person to decide.
  const report = await importCsv(
    service,
    client,
    { rent_roll: raised },
    { ...later, skipErrors: true, dryRun: true },
  );
  expect(report.files[0]).toMatchObject({ left_out: 1, update: 1 });
  const starts = (await list(client, '/leases')).map((lease: { start_date: string }) => lease.start_date);
  expect(starts).toEqual(['2026-03-01', '2026-03-01']);
});

test('rejected rows keep the day of the sheet and the order of its names', async () => {
  const client = await service.client();
  const text = [
    'Rent roll as of 10/31/2026',
    'Property,Unit,Tenant,Rent,Lease Start,Balance',
    'Elm,1,"Okafor, Ada",900,in spring,25.00',
    'Elm,2,"Lee, Kim",soon,01/15/2026,40.00',
    'Elm,3,"Martin, Cleo",900,02/15/2026,0',
  ].join('\n');
  const request = {
    accountId: client.accountId,
    actor: operator,
    files: [{ kind: 'rent_roll' as const, source: memorySource('r.csv', Buffer.from(text)), mapping: {} }],
    dateOrder: null,
    dryRun: false,
    skipErrors: true,
    events: true,
    now: new Date(),
    waitMs: 10_000,
  };
  const surveys = await surveyFiles(request);
  const { files } = await importFiles(service.database.db, request, surveys);
  expect(files[0]).toMatchObject({ status: 'applied', left_out: 2 });
  const rejected = (surveys[0] && (await rejectedRows(surveys[0]))) ?? '';
  const mended = rejected.replaceAll('in spring', '2026-04-01').replace(',soon,', ',850,');
  await importAll(service, client, { rent_roll: mended });
  const leases = await list(client, '/leases');
  expect(leases.map((lease: { ledger_from: string }) => lease.ledger_from)).toEqual([
    '2026-10-31',
    '2026-10-31',
    '2026-10-31',
  ]);
  const names = (await list(client, '/tenants')).map(
    (one: { first_name: string; last_name: string }) => `${one.first_name} ${one.last_name}`,
  );
  expect(names.sort()).toEqual(['Ada Okafor', 'Cleo Martin', 'Kim Lee']);
});

test('notes in a sheet are kept with the tenant, and reported if there is none', async () => {
  const client = await service.client();
  const sheet =
    'Property,Unit,Tenant,Rent,Remarks\nElm,1,Ada Lee,900,Has a dog\nElm,2,VACANT,900,New floor\n';
  const { files } = await importAll(service, client, { rent_roll: sheet });
  expect(files[0]?.notes).toContain('Notes beside vacant units are left out: notes are kept with tenants.');
  expect(await list(client, '/tenants')).toMatchObject([{ notes: 'Has a dog' }]);
});

test.each([
  ['an old Excel workbook (XLS)', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
  ['a PDF', Buffer.from('%PDF-1.7\n')],
  ['a web page', Buffer.from('\ufeff<html><table><tr><td>Unit</td></tr></table>')],
])('%s is refused with one sentence on how to save it as CSV', async (name, content) => {
  const client = await service.client();
  const { files } = await importCsv(service, client, { rent_roll: content });
  expect(files[0]).toMatchObject({ status: 'failed', error_count: 1, ignored_columns: [] });
  expect(files[0]?.errors[0]?.reason).toContain(name);
  expect(files[0]?.errors[0]?.reason).toContain('Save As, CSV UTF-8');
});
