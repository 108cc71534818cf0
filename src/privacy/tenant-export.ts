import { Readable } from 'node:stream';
import { needScope } from '../api-keys/scopes.ts';
import type { Caller } from '../caller.ts';
import { csvLine } from '../csv/cells.ts';
import { cellsOf } from '../csv/columns.ts';
import type { Db } from '../db/connect.ts';
import { sql } from '../db/sql.ts';
import { notFound } from '../errors.ts';
import { type Writing, writing } from '../events/writer.ts';
import { fileShape, zippedFile } from '../files/zipped.ts';
import { formatId } from '../ids.ts';
import { leaseWriter } from '../leases/leases.ts';
import { chargeWriter } from '../ledger/charges/charges.ts';
import { creditWriter } from '../ledger/credits/credits.ts';
import { refundShape } from '../ledger/deposits/deposits.ts';
import { freshen } from '../ledger/freshen.ts';
import { recurringShape } from '../ledger/recurring/recurring.ts';
import { readStatement } from '../ledger/statement/ledger.ts';
import { statementPdfs } from '../ledger/statement/pdf-queue.ts';
import { maintenanceShape } from '../maintenance/maintenance.ts';
import { paymentWriter } from '../payments/payments.ts';
import { TimeSlice } from '../system/time-slices.ts';
import { type ZipFile, zipOf } from '../system/zip.ts';
import { tenantWriter } from '../tenants/tenants.ts';
import { type AboutTenant, findAboutTenant, highestId, recordsOf } from './about-tenant.store.ts';
import { deliveriesOf, eventsOf, historyOf, type Kind, recordsWhere } from './tenant-export.store.ts';

/**
 * How many records of each kind, and how many characters, a JSON answer may have. It is made in memory, unlike the
 * archive.
 */
const mostInAnswer = 1_000;
const longestAnswer = 8_000_000;

/** Exporting or erasing a tenant requires the scopes of all parts. */
export function needScopesOfTenant(caller: Caller): void {
  const scopes = ['tenants', 'leases', 'payments', 'charges', 'credits', 'recurring-charges', 'maintenance'];
  for (const scope of [...scopes, 'files', 'events', 'deliveries']) needScope(caller, scope);
}

/** What is kept about a tenant, read one page at a time. */
interface Export {
  how: Writing;
  about: AboutTenant;
  kinds: Kind[];
}

async function openExport(db: Db, caller: Caller, tenantId: string, now: Date): Promise<Export> {
  const how = writing(caller, now);
  const about = await findAboutTenant(db, how.accountId, tenantId);
  if (about === null) throw notFound();
  await freshen(db, how);
  return { how, about, kinds: kindsOf(about, how.today) };
}

function kindsOf(about: AboutTenant, today: string): Kind[] {
  const { accountId, tenantId, leaseIds } = about;
  return [
    recordsWhere(accountId, 'tenants', tenantWriter.shape(accountId, today), sql`t.id = ${tenantId}`),
    recordsWhere(
      accountId,
      'leases',
      leaseWriter.shape(accountId, today),
      sql`l.id = any(${leaseIds}::uuid[])`,
    ),
    recordsWhere(
      accountId,
      'payments',
      paymentWriter.shape(accountId, today),
      sql`p.tenant_id = ${tenantId}`,
    ),
    recordsWhere(
      accountId,
      'charges',
      chargeWriter.shape(accountId, today),
      sql`c.lease_id = any(${leaseIds}::uuid[])`,
    ),
    recordsWhere(
      accountId,
      'credits',
      creditWriter.shape(accountId, today),
      sql`k.lease_id = any(${leaseIds}::uuid[])`,
    ),
    recordsWhere(
      accountId,
      'recurring_charges',
      recurringShape(accountId, today),
      sql`r.lease_id = any(${leaseIds}::uuid[])`,
    ),
    recordsWhere(accountId, 'deposit_refunds', refundShape, sql`d.lease_id = any(${leaseIds}::uuid[])`),
    recordsWhere(accountId, 'maintenance_requests', maintenanceShape, sql`m.tenant_id = ${tenantId}`),
    recordsWhere(accountId, 'files', fileShape, sql`f.record_id in (${recordsOf(about, about.ownLeaseIds)})`),
    historyOf(about),
    eventsOf(about),
    deliveriesOf(about),
  ];
}

/** The JSON of the records of a kind, one page at a time. */
async function* pagesOf(db: Db, { read }: Kind): AsyncGenerator<string[]> {
  let before = highestId;
  for (;;) {
    const rows = await read(db, before);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.flatMap(({ json }) => json ?? []);
    before = last.id;
  }
}

/**
 * Everything that is kept about a tenant in one answer, or only the newest records of some kinds if that is too much.
 */
export async function exportTenant(db: Db, caller: Caller, tenantId: string, now: Date): Promise<string> {
  const { kinds } = await openExport(db, caller, tenantId, now);
  const leftOut: string[] = [];
  const parts: string[] = [];
  let room = longestAnswer;
  for (const kind of kinds) {
    const { records, isAll } = await newestOf(db, kind, room);
    if (!isAll) leftOut.push(kind.name);
    const part = `"${kind.name}":[${records.join(',')}]`;
    parts.push(part);
    room -= part.length;
  }
  return `{${parts.join(',')},"incomplete":${JSON.stringify(leftOut)}}`;
}

/** The newest records of a kind that fit into this many characters. */
async function newestOf(db: Db, kind: Kind, room: number): Promise<{ records: string[]; isAll: boolean }> {
  const records: string[] = [];
  let length = 0;
  for await (const page of pagesOf(db, kind))
    for (const record of page) {
      length += record.length + 1;
      if (records.length === mostInAnswer || length > room) return { records, isAll: false };
      records.push(record);
    }
  return { records, isAll: true };
}

/**
 * Everything as a ZIP archive: one JSON file, a CSV file for each kind, and a statement for each lease that is the
 * tenant's alone.
 */
export async function zipTenant(
  db: Db,
  caller: Caller,
  tenantId: string,
  now: Date,
): Promise<AsyncGenerator<Uint8Array>> {
  return zipOf(filesOf(db, await openExport(db, caller, tenantId, now)));
}

/** The archive as the body of an answer. */
export const zipStream = async (db: Db, caller: Caller, tenantId: string, now: Date): Promise<Readable> =>
  Readable.from(await zipTenant(db, caller, tenantId, now), { highWaterMark: 1, objectMode: true });

async function* filesOf(db: Db, { how, about, kinds }: Export): AsyncGenerator<ZipFile> {
  yield { name: 'README.txt', content: [readme] };
  yield { name: 'export.json', content: jsonOf(db, kinds) };
  for (const kind of kinds) yield { name: `${kind.name}.csv`, content: csvOf(db, kind) };
  // The statement of a shared lease would show what the others paid.
  for (const id of about.ownLeaseIds) {
    const statement = await readStatement(db, how, id, {});
    const content = await statementPdfs.make(JSON.stringify({ data: statement }), how.accountId);
    yield { name: `statement-${formatId('lease', id)}.pdf`, content: [content] };
  }
  for (const kind of kinds)
    if (kind.name === 'files')
      for await (const page of pagesOf(db, kind))
        for (const file of page) yield zippedFile(db, how.accountId, JSON.parse(file));
}

const readme = `All that is kept about one tenant.

export.json has everything. The CSV files have the same, one for each kind of record. The PDF files are the statements
of the leases that they alone are on. A lease with other people has no statement here, and its history and notes are
left out, because these tell of the others too; so are its files. Their photos and documents are in the folder files.
Events, and what webhook endpoints answered to them, are kept for a limited time; older ones are gone.
`;

async function* jsonOf(db: Db, kinds: Kind[]): AsyncGenerator<string> {
  let opening = '{';
  for (const kind of kinds) {
    yield `${opening}"${kind.name}":[`;
    opening = ',\n';
    let separator = '';
    for await (const page of pagesOf(db, kind)) {
      if (page.length === 0) continue;
      yield separator + page.join(',\n');
      separator = ',\n';
    }
    yield ']';
  }
  yield '}\n';
}

async function* csvOf(db: Db, kind: Kind): AsyncGenerator<string> {
  const columns = kind.fields.map((header) => ({ header, path: [header] }));
  yield csvLine(kind.fields);
  const slice = new TimeSlice();
  for await (const page of pagesOf(db, kind))
    for (const record of page) {
      if (slice.isOver()) await slice.next();
      yield csvLine(cellsOf(JSON.parse(record), columns));
    }
}
