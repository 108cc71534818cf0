import type { Db } from '../db/connect.ts';
import { literal, none, raw, sql } from '../db/sql.ts';

/** As many as one statement can move without holding its locks for long. */
export const cancelBatch = 1_000;

export const cancelledError = 'The endpoint was disabled or deleted before this could be delivered.';
/** A worker had claimed it. Its answer, if there is one, comes too late to be noted. */
const cancelledUnderWay =
  'The endpoint was disabled or deleted while this was being sent; it may have been delivered.';

/**
 * Moves a batch of the deliveries queued for a deleted or disabled endpoint to the log, as cancelled. Returns how many.
 * Tests stay queued, because they are sent to disabled endpoints too.
 *
 * Disabling or deleting an endpoint also cancels what a worker has claimed (`everything`), and the worker's result then
 * finds nothing to settle. A worker leaves what another one has claimed to that worker (`waiting`), so that two workers
 * never wait for each other. With every batch it checks whether the owner has enabled the endpoint again.
 */
export async function cancelQueued(
  db: Db,
  accountId: string,
  endpointId: string,
  now: Date,
  which: 'everything' | 'waiting',
): Promise<number> {
  const chosen =
    which === 'everything'
      ? none
      : sql`and (lease_until is null or lease_until < now()) and not exists (
          select w.id from webhook_endpoints w
          where w.account_id = ${accountId} and w.id = ${endpointId} and w.status <> 'disabled')`;
  const rows = await db.query(sql`
    with chosen as (
      select id from delivery_queue
      where endpoint_id = ${endpointId} and account_id = ${accountId} and kind <> 'test' ${chosen}
      order by id limit ${literal(cancelBatch)} for update ${which === 'everything' ? none : raw('skip locked')}),
    gone as (
      delete from delivery_queue where id = any(array(select id from chosen))
      returning id, endpoint_id, event_id, event, kind, attempts, last_attempt_at, last_status, created_at, lease_until)
    insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
      last_status, last_error, created_at, finished_at)
    select ${accountId}, id, endpoint_id, event_id, event, kind, 'cancelled', attempts, last_attempt_at, last_status,
      case when lease_until > now() then ${cancelledUnderWay} else ${cancelledError} end, created_at, ${now} from gone
    returning id`);
  return rows.length;
}

/** Makes one of the waiting deliveries due, so that the workers find it at once. */
export async function makeOneReady(tx: Db, accountId: string, endpointId: string): Promise<void> {
  await tx.query(sql`
    update delivery_queue set ready = true where id = (
      select id from delivery_queue
      where endpoint_id = ${endpointId} and account_id = ${accountId} and kind <> 'test' and not ready limit 1)`);
}
