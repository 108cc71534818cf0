import { hasScope } from '../api-keys/scopes.ts';
import { audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import type { Table } from '../db/records/columns.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { sql } from '../db/sql.ts';
import { AppError, notFound } from '../errors.ts';
import type { Differs } from '../events/history.ts';
import { changeQuietly } from '../events/record.ts';
import { type Writing, writing } from '../events/writer.ts';
import { deleteFilesOf } from '../files/files.ts';
import { formatId, type IdPrefix } from '../ids.ts';
import type { References, ReferringType } from './deletion.schema.ts';
import {
  deleteRow,
  type Found,
  findReferences,
  forgetImportKeys,
  lockRecord,
  type Referring,
} from './deletion.store.ts';

export type { Referring } from './deletion.store.ts';
export { forgetImportKeys } from './deletion.store.ts';

export interface Deletable {
  table: Table;
  shape(accountId: string, today: string): RecordShape;
  one: 'property' | 'unit' | 'tenant' | 'lease';
  referring: Referring[];
  /** What can be done with a record that is in use. */
  instead: string;
  /** Deletes what belongs to this record alone. May throw to refuse. */
  takeAlong?(tx: Db, how: Writing, id: string): Promise<TakenAlong | undefined>;
}

interface TakenAlong {
  /** How the history describes the record that was deleted. */
  differs?: Differs;
  /** Records the events that follow from the deletion, once it is done. */
  tell?: () => Promise<void>;
}

/**
 * Deletes a record that nothing refers to; otherwise throws a 409 that names what does. Its history stays and says who
 * deleted it. A deletion has no event, because the list of events is closed; the changes it causes in other records
 * have their events as usual.
 */
export function deleteRecord(
  db: Db,
  caller: Caller,
  id: string,
  now: Date,
  { table, shape, one, referring, instead, takeAlong }: Deletable,
): Promise<string> {
  const how = writing(caller, now);
  const { accountId, actor } = how;
  return db.transaction(async (tx) => {
    if (!(await lockRecord(tx, table.name, accountId, id))) throw notFound();
    const found = await findReferences(tx, accountId, id, referring);
    if (found.length > 0) throw inUse(caller, found, one, instead);
    const taken = await takeAlong?.(tx, how, id);
    await deleteFilesOf(tx, how, sql`select ${id}::uuid`, { erased: one === 'tenant' });
    await forgetImportKeys(tx, accountId, one, [id]);
    await changeQuietly(tx, {
      accountId,
      actor,
      shape: shape(accountId, how.today),
      rows: deleteRow(table.name, accountId, id),
      action: 'deleted',
      ...(taken?.differs && { differs: taken.differs }),
    });
    const publicId = formatId(table.prefix, id);
    await audit(tx, caller, 'record.deleted', { subject: publicId });
    await taken?.tell?.();
    return JSON.stringify({ id: publicId, deleted: true });
  });
}

/** For each type, the prefix of its ids and the part of the API that shows it. */
const shownAs: Record<ReferringType, { prefix: IdPrefix; scope: string }> = {
  unit: { prefix: 'unit', scope: 'units' },
  lease: { prefix: 'lease', scope: 'leases' },
  payment: { prefix: 'pay', scope: 'payments' },
  charge: { prefix: 'chg', scope: 'charges' },
  credit: { prefix: 'crd', scope: 'credits' },
  deposit_refund: { prefix: 'ref', scope: 'leases' },
  maintenance_request: { prefix: 'mnt', scope: 'maintenance' },
};

function inUse(caller: Caller, found: Found[], one: string, instead: string): AppError {
  const references: References = found.map(({ type, count, ids }) => {
    const { prefix, scope } = shownAs[type];
    return { type, count, ids: hasScope(caller, scope) ? ids.map((id) => formatId(prefix, id)) : [] };
  });
  const total = found.reduce((sum, { count }) => sum + count, 0);
  const subjects = words.format(found.map(({ type, count }) => `${count} ${nounOf(type, count)}`));
  const message = `${subjects} ${total === 1 ? 'refers' : 'refer'} to this ${one}, so it cannot be deleted. ${instead}`;
  return new AppError('record_in_use', message, {}, { references });
}

const words = new Intl.ListFormat('en');
const nounOf = (type: string, count: number): string =>
  `${type.replaceAll('_', ' ')}${count === 1 ? '' : 's'}`;
