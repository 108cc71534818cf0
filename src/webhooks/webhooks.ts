import { randomBytes } from 'node:crypto';
import { hasKeys } from '../api-keys/api-keys.ts';
import { needScope } from '../api-keys/scopes.ts';
import { audit, type Doer, differences } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import { changes, merged } from '../changes.ts';
import { hours } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import { findRows } from '../db/records/rows.ts';
import { getRecord } from '../db/records/shape.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { everyEvent } from '../events/catalogue.ts';
import { formatId } from '../ids.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { cancelBatch, cancelQueued, makeOneReady } from './cancel-queued.ts';
import { keepPrevious } from './previous-secrets.ts';
import { storedWebhook } from './webhook-shapes.ts';
import { type WebhookRow, webhooks } from './webhooks.columns.ts';
import type { WebhookChange, WebhookInput } from './webhooks.schema.ts';
import * as store from './webhooks.store.ts';

const overlapMs = hours(24);

export const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;

interface Subscription extends WebhookInput {
  caller: Caller;
  source: 'api' | 'automation';
}

/** Makes a subscription. Its JSON contains the secret, which only this and rotateSecret ever return. */
export function subscribe(
  db: Db,
  secrets: SecretBox,
  subscription: Subscription,
  mostPerAccount: number,
): Promise<string> {
  const { caller } = subscription;
  const { accountId } = caller;
  needScopes(caller, subscription.events);
  const secret = newSecret();
  return db.transaction(async (tx) => {
    const skip_actors = await keysToSkip(tx, caller, subscription.skip_actors ?? []);
    if ((await store.countWebhooksForCreate(tx, accountId)) >= mostPerAccount) {
      throw conflict(
        'limit_reached',
        `An account has at most ${mostPerAccount} webhook endpoints; delete one that is no longer used.`,
      );
    }
    const row = newRow(webhooks, { ...subscription, skip_actors, status: 'active' });
    const json = await store.insertWebhook(tx, caller, row, {
      source: subscription.source,
      secret: secrets.encrypt(secret),
    });
    await audit(tx, caller, 'webhook.created', { subject: subscription.url });
    return withSecret(json, secret);
  });
}

/** The caller who changes a webhook. */
type Changing = Doer & Pick<Caller, 'scopes'>;

/** Disables all webhooks of an account that is being closed. */
export async function disableWebhooks(tx: Db, doer: Doer, now: Date): Promise<void> {
  for (const id of await store.findEnabled(tx, doer.accountId))
    await changeWebhook(tx, doer, id, { status: 'disabled' }, now);
}

export function changeWebhook(
  db: Db,
  caller: Changing,
  id: string,
  { skip_actors, ...patch }: WebhookChange,
  now: Date,
): Promise<string> {
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    const [current] = await findRows(tx, webhooks, accountId, [id], true);
    if (!current) throw notFound();
    // A failing endpoint counts as enabled: setting `active` changes nothing until its next answer.
    const enabled = current.status !== 'disabled';
    const asked = {
      ...patch,
      status: patch.status === 'active' && enabled ? undefined : patch.status,
      ...(skip_actors && { skip_actors: await keysToSkip(tx, caller, skip_actors) }),
    };
    // Whatever is queued for it will go to the new address.
    needScopes(caller, [...current.events, ...(patch.events ?? [])]);
    if (!changes(current, asked)) return getWebhook(tx, accountId, id);
    if (asked.status === 'disabled') await cancelEverything(tx, accountId, id, now);
    const next = merged<WebhookRow>(current, asked);
    await audit(tx, caller, 'webhook.updated', {
      subject: current.url,
      changes: differences(shownSettings(current), shownSettings(next)),
    });
    return store.updateWebhook(tx, caller, { ...next, id }, now);
  });
}

/**
 * Gives the endpoint a new secret. The old one keeps signing for a day, so that receivers can change over. So do up to
 * three earlier ones that were replaced less than a day ago: if somebody rotates twice because the first answer was
 * lost, receivers must not be shut out.
 */
export function rotateSecret(
  db: Db,
  secrets: SecretBox,
  caller: Caller,
  id: string,
  now: Date,
): Promise<string> {
  const secret = newSecret();
  return db.transaction(async (tx) => {
    const old = await store.findSecretsForChange(tx, caller.accountId, id, now);
    if (!old) throw notFound();
    needScopes(caller, old.events);
    const rotated = {
      secret: secrets.encrypt(secret),
      previous: previousBox(secrets, old, now),
      previousUntil: new Date(now.getTime() + overlapMs),
    };
    await audit(tx, caller, 'webhook.secret_rotated', { subject: old.url });
    return withSecret(await store.rotateSecret(tx, caller, id, rotated, now), secret);
  });
}

function previousBox(secrets: SecretBox, old: store.Secrets, now: Date): Buffer {
  try {
    const { previous, previous_until: validUntil } = old;
    const before = previous && validUntil ? { text: secrets.decrypt(previous), validUntil } : null;
    return secrets.encrypt(keepPrevious(secrets.decrypt(old.secret), before, now));
  } catch {
    // It was encrypted with a SECRET_KEY that is lost, which is why a new secret is needed.
    return old.secret;
  }
}

export function unsubscribe(db: Db, caller: Caller, id: string, now: Date): Promise<string> {
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    const [current] = await findRows(tx, webhooks, accountId, [id], true);
    if (!current) throw notFound();
    needScopes(caller, current.events);
    await store.deleteWebhook(tx, caller, id);
    await audit(tx, caller, 'webhook.deleted', { subject: current.url });
    await cancelEverything(tx, accountId, id, now);
    return JSON.stringify({ id: formatId('we', id), deleted: true });
  });
}

/** Cancels a first batch. The workers cancel the rest of a long queue as soon as they find a delivery in it. */
async function cancelEverything(tx: Db, accountId: string, id: string, now: Date): Promise<void> {
  const count = await cancelQueued(tx, accountId, id, now, 'everything');
  if (count === cancelBatch) await makeOneReady(tx, accountId, id);
}

export const getWebhook = (db: Db, accountId: string, id: string): Promise<string> =>
  getRecord(db, storedWebhook, accountId, id);

const shownSettings = ({ skip_actors, ...settings }: WebhookRow) => ({
  ...settings,
  skip_actors: skip_actors.map((id) => formatId('key', id)),
});

/** Receiving events means reading their records, and knowing the secret means being able to forge them. */
function needScopes(caller: Pick<Caller, 'scopes'>, events: readonly string[]): void {
  const nouns = events.includes(everyEvent)
    ? [...Object.keys(scopes), '']
    : events.map((event) => event.split('.')[0]);
  for (const noun of nouns) needScope(caller, scopes[noun ?? ''] ?? 'events');
}

/** The part of the API that an event's record belongs to. */
const scopes: Record<string, string> = {
  property: 'properties',
  unit: 'units',
  tenant: 'tenants',
  lease: 'leases',
  charge: 'charges',
  credit: 'credits',
  payment: 'payments',
  maintenance_request: 'maintenance',
  file: 'files',
};

/** The uuids of the keys, without duplicates. */
async function keysToSkip(tx: Db, { accountId, actor }: Doer, named: readonly string[]): Promise<string[]> {
  if (named.length === 0) return [];
  const ids = [...new Set(named.map((id) => (id === 'self' ? actor.id : id)))].filter((id) => id !== null);
  if (named.includes('self') && actor.type !== 'key')
    throw invalidField('skip_actors', '`self` is the key of the request; people in the dashboard have none.');
  if (!(await hasKeys(tx, accountId, ids)))
    throw invalidField('skip_actors', 'One of these ids belongs to no key here.');
  return ids;
}

const withSecret = (json: string, secret: string): string => `${json.slice(0, -1)},"secret":"${secret}"}`;
