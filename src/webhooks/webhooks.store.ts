import type { Db } from '../db/connect.ts';
import { changedAt } from '../db/records/changed-at.ts';
import { shapeOf, type WithId } from '../db/records/columns.ts';
import { number, time, word } from '../db/records/json.ts';
import { type RecordShape, recordJson } from '../db/records/list.ts';
import { insertRows, updateRows } from '../db/records/rows.ts';
import { literal, none, raw, type Sql, sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';
import { type WebhookRow, webhooks } from './webhooks.columns.ts';

const { fields, ...shape } = shapeOf(webhooks, {
  status: [word('w.source'), time('w.last_success_at'), time('w.last_error_at'), number('w.failure_count')],
});
const updatedAt = fields.slice(-1);

/** As GET /webhooks shows it. */
const listedWebhook: RecordShape = { ...shape, fields: fields.slice(0, -1) };

/** The whole record but its secret. */
export const storedWebhook: RecordShape = {
  ...shape,
  fields: [...listedWebhook.fields, word('w.disabled_reason'), ...updatedAt],
};

const lowestId = lowestIdAt(new Date(0));

/** JSON array, newest first: this list is never paged. */
export async function listWebhooks(
  db: Db,
  accountId: string,
  since: string | null,
): Promise<{ data: string; count: number }> {
  const [row] = await db.query<{ data: string; count: number }>(sql`
    select coalesce('[' || string_agg(json, ',') || ']', '[]') as data, count(*)::integer as count
    from (select ${recordJson(listedWebhook)} as json from webhook_endpoints w
          where w.account_id = ${accountId} and w.id >= ${since ?? lowestId} order by w.id desc) webhooks`);
  return row ?? { data: '[]', count: 0 };
}

/** An account's endpoints are created one at a time, so that two at once cannot both be the hundredth. */
export async function countWebhooksForCreate(tx: Db, accountId: string): Promise<number> {
  await tx.query(sql`select from accounts where id = ${accountId} for no key update`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from webhook_endpoints where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}

export const insertWebhook = (
  tx: Db,
  accountId: string,
  row: WithId<WebhookRow>,
  { source, secret }: { source: string; secret: Buffer },
): Promise<string> =>
  one(
    tx,
    insertRows(webhooks, accountId, [row], { values: { source: sql`${source}`, secret: sql`${secret}` } }),
  );

/** An endpoint with a new address, or enabled again, has not failed yet: its five days start anew. */
export const updateWebhook = (
  tx: Db,
  accountId: string,
  row: WithId<WebhookRow>,
  now: Date,
): Promise<string> =>
  one(
    tx,
    updateRows(webhooks, accountId, [row], now, {
      values: {
        disabled_reason: raw("case when n.status = 'disabled' then coalesce(w.disabled_reason, 'owner') end"),
        failing_since: raw(
          "case when w.url = n.url and (w.status <> 'disabled' or n.status = 'disabled') then w.failing_since end",
        ),
      },
    }),
  );

/** Encrypted; `previous` only while it is valid. */
export interface Secrets {
  secret: Buffer;
  previous: Buffer | null;
  previous_until: Date | null;
}

export async function findSecretsForChange(
  tx: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<Secrets | null> {
  const [row] = await tx.query<Secrets>(sql`
    select secret, case when previous_secret_expires_at > ${now} then previous_secret end as previous,
      previous_secret_expires_at as previous_until
    from webhook_endpoints where account_id = ${accountId} and id = ${id} for update`);
  return row ?? null;
}

/** Earlier secrets keep signing besides the new one until they expire. */
export function rotateSecret(
  tx: Db,
  accountId: string,
  id: string,
  { secret, previous, previousUntil }: { secret: Buffer; previous: Buffer; previousUntil: Date },
  now: Date,
): Promise<string> {
  return one(
    tx,
    sql`update webhook_endpoints set previous_secret = ${previous}, previous_secret_expires_at = ${previousUntil},
        secret = ${secret}, updated_at = ${changedAt('webhook_endpoints', now)}
      where account_id = ${accountId} and id = ${id} returning *`,
  );
}

export async function deleteWebhook(tx: Db, accountId: string, id: string): Promise<boolean> {
  const rows = await tx.query(
    sql`delete from webhook_endpoints where account_id = ${accountId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}

/** One statement moves this many without holding its locks for long. */
export const cancelBatch = 1_000;

export const cancelledError = 'The endpoint was disabled or deleted before this could be delivered.';

/**
 * Moves a batch of what is queued for a deleted or disabled endpoint to the log, as cancelled. Returns how many. Tests
 * stay queued: they are sent to disabled endpoints too.
 *
 * Whoever disables or deletes an endpoint also cancels what a worker has claimed (`everything`); the worker's result
 * then finds nothing to settle. A worker leaves what another has claimed to that one (`waiting`), so that two workers
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
          select from webhook_endpoints w
          where w.account_id = ${accountId} and w.id = ${endpointId} and w.status <> 'disabled')`;
  const rows = await db.query(sql`
    with chosen as (
      select id from delivery_queue
      where endpoint_id = ${endpointId} and account_id = ${accountId} and kind <> 'test' ${chosen}
      order by id limit ${literal(cancelBatch)} for update ${which === 'everything' ? none : raw('skip locked')}),
    gone as (
      delete from delivery_queue where id = any(array(select id from chosen))
      returning id, endpoint_id, event_id, event, kind, attempts, last_attempt_at, last_status, created_at)
    insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
      last_status, last_error, created_at, finished_at)
    select ${accountId}, id, endpoint_id, event_id, event, kind, 'cancelled', attempts, last_attempt_at, last_status,
      ${cancelledError}, created_at, ${now} from gone
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

async function one(tx: Db, rows: Sql): Promise<string> {
  const [row] = await tx.query<{ json: string }>(sql`
    with changed as (${rows}) select ${recordJson(storedWebhook)} as json from changed w`);
  if (!row) throw new Error('A written webhook returned no row.');
  return row.json;
}
