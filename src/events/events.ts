import type { Db } from '../db/connect.ts';
import { findRecord } from '../db/list.ts';
import { notFound } from '../errors.ts';
import { eventShape } from './events.store.ts';

export { listEvents } from './events.store.ts';

export async function getEvent(db: Db, accountId: string, id: string): Promise<string> {
  const json = await findRecord(db, eventShape, accountId, id);
  if (json === null) throw notFound();
  return json;
}
