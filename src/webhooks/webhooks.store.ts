import type { Caller } from '../caller.ts';
import { lockAccount } from '../db/account-lock.ts';
import type { Db } from '../db/connect.ts';
import { changedAt } from '../db/records/changed-at.ts';
import type { WithId } from '../db/records/columns.ts';
import { insertRows, updateRows } from '../db/records/rows.ts';
import { recordJson } from '../db/records/shape.ts';
import { raw, sql } from '../db/sql.ts';
import { changedField } from '../events/history.ts';
import { changeQuietly } from '../events/record.ts';
import { lowestIdAt } from '../ids.ts';
import { listedWebhook, storedWebhook } from './webhook-shapes.ts';
import { storedEvents, type WebhookRow, webhooks } from './webhooks.columns.ts';

const lowestId = lowestIdAt(new Date(0));

/** A JSON array, newest first. This list is never paged. */
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

/** Locks the account, so that two endpoints created at once cannot both be the hundredth. */
export async function countWebhooksForCreate(tx: Db, accountId: string): Promise<number> {
  await lockAccount(tx, accountId);
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from webhook_endpoints where account_id = ${accountId}`,
  );
  return row?.count ?? 0;
}

export const insertWebhook = (
  tx: Db,
  { accountId, actor }: Changing,
  row: WithId<WebhookRow>,
  { source, secret }: { source: string; secret: Buffer },
): Promise<string> =>
  one(tx, {
    accountId,
    actor,
    action: 'created',
    rows: insertRows(webhooks, accountId, [row], {
      values: { events: storedEvents, source: sql`${source}`, secret: sql`${secret}::bytea` },
    }),
  });

/** An endpoint that has a new address or was enabled again has not failed yet, so its five days start again. */
export const updateWebhook = (
  tx: Db,
  { accountId, actor }: Changing,
  row: WithId<WebhookRow>,
  now: Date,
): Promise<string> =>
  one(tx, {
    accountId,
    actor,
    action: 'updated',
    ids: [row.id],
    rows: updateRows(webhooks, accountId, [row], now, {
      values: {
        events: storedEvents,
        disabled_reason: raw("case when n.status = 'disabled' then coalesce(w.disabled_reason, 'owner') end"),
        failing_since: raw(
          "case when w.url = n.url and (w.status <> 'disabled' or n.status = 'disabled') then w.failing_since end",
        ),
      },
    }),
  });

/** Both are encrypted; `previous` is set only while it is valid. */
export interface Secrets {
  secret: Buffer;
  previous: Buffer | null;
  previous_until: Date | null;
  url: string;
  events: string[];
}

/** The account's enabled endpoints, in the order in which workers lock them. */
export async function findEnabled(tx: Db, accountId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from webhook_endpoints where account_id = ${accountId} and status <> 'disabled' order by id`);
  return rows.map(({ id }) => id);
}

export async function findSecretsForChange(
  tx: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<Secrets | null> {
  const [row] = await tx.query<Secrets>(sql`
    select secret, case when previous_secret_expires_at > ${now} then previous_secret end as previous,
      previous_secret_expires_at as previous_until, url, events
    from webhook_endpoints where account_id = ${accountId} and id = ${id} for update`);
  return row ?? null;
}

/** Earlier secrets keep signing beside the new one until they expire. */
export function rotateSecret(
  tx: Db,
  { accountId, actor }: Changing,
  id: string,
  { secret, previous, previousUntil }: { secret: Buffer; previous: Buffer; previousUntil: Date },
  now: Date,
): Promise<string> {
  const never = raw("'null'");
  return one(tx, {
    accountId,
    actor,
    action: 'updated',
    differs: { only: true, pieces: [changedField('secret', never, never)] },
    rows: sql`update webhook_endpoints set previous_secret = ${previous}, previous_secret_expires_at = ${previousUntil},
        secret = ${secret}, updated_at = ${changedAt('webhook_endpoints', now)}
      where account_id = ${accountId} and id = ${id} returning *`,
  });
}

/** Its history stays, and says who deleted it. */
export async function deleteWebhook(tx: Db, { accountId, actor }: Changing, id: string): Promise<void> {
  const rows = sql`delete from webhook_endpoints where account_id = ${accountId} and id = ${id} returning *`;
  await changeQuietly(tx, { accountId, actor, shape: storedWebhook, rows, action: 'deleted' });
}

/** Whose webhook is changed, and by whom. */
type Changing = Pick<Caller, 'accountId' | 'actor'>;

async function one(tx: Db, change: Omit<Parameters<typeof changeQuietly>[1], 'shape'>): Promise<string> {
  const [json] = await changeQuietly(tx, { ...change, shape: storedWebhook, answered: true });
  if (json === undefined) throw new Error('A written webhook returned no row.');
  return json;
}
