import { changedAt } from '../db/changed-at.ts';
import type { Db } from '../db/connect.ts';
import { type Field, id, json, number, text, time, word } from '../db/json.ts';
import { noJoins, type RecordShape, recordJson } from '../db/list.ts';
import { literal, none, raw, type Sql, sql } from '../db/sql.ts';
import { lowestIdAt } from '../ids.ts';

const listedFields: Field[] = [
  id('we', 'w.id'),
  text('w.url'),
  text('w.description'),
  json(sql`to_json(w.events)`, 'events'),
  word('w.status'),
  word('w.source'),
  time('w.last_success_at'),
  time('w.last_error_at'),
  number('w.failure_count'),
  time('w.created_at'),
];

/** As GET /webhooks shows it. */
const listedWebhook: RecordShape = {
  table: 'webhook_endpoints',
  alias: 'w',
  joins: noJoins,
  fields: listedFields,
};

/** The whole record but its secret. */
export const storedWebhook: RecordShape = {
  ...listedWebhook,
  fields: [...listedFields, word('w.disabled_reason'), time('w.updated_at')],
};

export interface WebhookRow {
  url: string;
  description: string | null;
  events: string[];
  status: 'active' | 'failing' | 'disabled';
}

export interface NewWebhook extends Omit<WebhookRow, 'status'> {
  id: string;
  accountId: string;
  source: string;
  secret: Buffer;
  createdAt: Date;
}

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

/** Creations of one account go one at a time, so that two at once cannot both take the last place. */
export async function countWebhooksForCreate(tx: Db, accountId: string): Promise<number> {
  await tx.query(sql`select from accounts where id = ${accountId} for no key update`);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from webhook_endpoints where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}

export async function insertWebhook(tx: Db, w: NewWebhook): Promise<string> {
  return one(
    tx,
    sql`insert into webhook_endpoints (account_id, id, url, description, events, status, source, secret, created_at, updated_at)
      values (${w.accountId}, ${w.id}, ${w.url}, ${w.description}, ${w.events}, 'active', ${w.source}, ${w.secret}, ${w.createdAt}, ${w.createdAt})
      returning *`,
  );
}

export async function findWebhookForChange(
  tx: Db,
  accountId: string,
  id: string,
): Promise<WebhookRow | null> {
  const [row] = await tx.query<WebhookRow>(sql`
    select url, description, events, status from webhook_endpoints
    where account_id = ${accountId} and id = ${id} for update`);
  return row ?? null;
}

/** With another address, or enabled again, it has not failed yet: the five days start anew. */
export function updateWebhook(
  tx: Db,
  accountId: string,
  id: string,
  w: WebhookRow,
  now: Date,
): Promise<string> {
  return one(
    tx,
    sql`update webhook_endpoints set url = ${w.url}, description = ${w.description}, events = ${w.events}, status = ${w.status},
        disabled_reason = case when ${w.status} <> 'disabled' then null else coalesce(disabled_reason, 'owner') end,
        failing_since = case when url <> ${w.url} or (status = 'disabled' and ${w.status} <> 'disabled') then null else failing_since end,
        updated_at = ${changedAt('webhook_endpoints', now)}
      where account_id = ${accountId} and id = ${id} returning *`,
  );
}

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

/** Old secrets keep signing beside the new one until they expire. */
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

/** As many as one statement moves without holding its locks for long. */
export const cancelBatch = 1_000;

export const cancelledError = 'The endpoint was disabled or deleted before this could be delivered.';

/**
 * What is queued for an endpoint that is gone or disabled goes to the log as cancelled, a batch at a time; returns
 * how many. A test is sent to a disabled endpoint too.
 *
 * Who disables or deletes an endpoint also takes what a worker has in hand (`everything`): its result will find
 * nothing to settle. A worker itself leaves that to the one who has it (`waiting`), so that two of them never wait
 * for each other; and it looks with every batch whether the owner has enabled the endpoint again meanwhile.
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
      returning id, account_id, endpoint_id, event_id, event, kind, attempts, last_attempt_at, last_status, created_at)
    insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at,
      last_status, last_error, created_at, finished_at)
    select account_id, id, endpoint_id, event_id, event, kind, 'cancelled', attempts, last_attempt_at, last_status,
      ${cancelledError}, created_at, ${now} from gone
    returning id`);
  return rows.length;
}

/** One that waits for its next attempt is shown to the workers at once. */
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
