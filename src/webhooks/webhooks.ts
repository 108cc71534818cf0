import { randomBytes } from 'node:crypto';
import { changes, merged } from '../changes.ts';
import { hours } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { getRecord } from '../db/list.ts';
import { conflict, notFound } from '../errors.ts';
import { formatId, idTime, newId } from '../ids.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { keepPrevious } from './previous-secrets.ts';
import type { WebhookChange, WebhookInput } from './webhooks.schema.ts';
import * as store from './webhooks.store.ts';

export { readPrevious } from './previous-secrets.ts';
export { cancelBatch, cancelledError, cancelQueued, listWebhooks, storedWebhook } from './webhooks.store.ts';

const mostPerAccount = 100;
const overlapMs = hours(24);

export const newSecret = (): string => `whsec_${randomBytes(32).toString('hex')}`;

export interface Subscription extends WebhookInput {
  accountId: string;
  source: 'api' | 'automation';
}

/** Makes a subscription. Its JSON carries the secret, which is returned here and nowhere else. */
export function subscribe(db: Db, secrets: SecretBox, subscription: Subscription): Promise<string> {
  const { accountId } = subscription;
  const id = newId();
  const secret = newSecret();
  return db.transaction(async (tx) => {
    if ((await store.countWebhooksForCreate(tx, accountId)) >= mostPerAccount) {
      throw conflict(
        `An account has at most ${mostPerAccount} webhook endpoints; delete one that is no longer used.`,
      );
    }
    const json = await store.insertWebhook(tx, {
      id,
      accountId,
      url: subscription.url,
      description: subscription.description ?? null,
      events: subscription.events,
      source: subscription.source,
      secret: secrets.encrypt(secret),
      createdAt: idTime(id),
    });
    return withSecret(json, secret);
  });
}

export function changeWebhook(
  db: Db,
  accountId: string,
  id: string,
  patch: WebhookChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const current = await store.findWebhookForChange(tx, accountId, id);
    if (!current) throw notFound();
    // An endpoint that is failing counts as enabled: asking for `active` leaves it to its next answer.
    const enabled = current.status !== 'disabled';
    const asked = { ...patch, status: patch.status === 'active' && enabled ? undefined : patch.status };
    if (!changes(current, asked)) return getWebhook(tx, accountId, id);
    if (asked.status === 'disabled') await cancelEverything(tx, accountId, id, now);
    return store.updateWebhook(tx, accountId, id, merged(current, asked), now);
  });
}

/**
 * Gives the endpoint a new secret; the old one signs along for a day, so receivers can change over calmly. So do up to three before it
 * that were replaced less than a day ago: who rotates twice, because the first answer was lost, must not shut receivers out.
 */
export function rotateSecret(
  db: Db,
  secrets: SecretBox,
  accountId: string,
  id: string,
  now: Date,
): Promise<string> {
  const secret = newSecret();
  return db.transaction(async (tx) => {
    const old = await store.findSecretsForChange(tx, accountId, id, now);
    if (!old) throw notFound();
    const rotated = {
      secret: secrets.encrypt(secret),
      previous: previousBox(secrets, old, now),
      previousUntil: new Date(now.getTime() + overlapMs),
    };
    return withSecret(await store.rotateSecret(tx, accountId, id, rotated, now), secret);
  });
}

function previousBox(secrets: SecretBox, old: store.Secrets, now: Date): Buffer {
  try {
    const { previous, previous_until: validUntil } = old;
    const before = previous && validUntil ? { text: secrets.decrypt(previous), validUntil } : null;
    return secrets.encrypt(keepPrevious(secrets.decrypt(old.secret), before, now));
  } catch {
    // Their SECRET_KEY is lost, which is why there has to be a new one.
    return old.secret;
  }
}

export function unsubscribe(db: Db, accountId: string, id: string, now: Date): Promise<string> {
  return db.transaction(async (tx) => {
    if (!(await store.deleteWebhook(tx, accountId, id))) throw notFound();
    await cancelEverything(tx, accountId, id, now);
    return JSON.stringify({ id: formatId('we', id), deleted: true });
  });
}

/** A first batch; the workers cancel the rest of a long queue, as soon as they come upon one of it. */
async function cancelEverything(tx: Db, accountId: string, id: string, now: Date): Promise<void> {
  const count = await store.cancelQueued(tx, accountId, id, now, 'everything');
  if (count === store.cancelBatch) await store.makeOneReady(tx, accountId, id);
}

export const getWebhook = (db: Db, accountId: string, id: string): Promise<string> =>
  getRecord(db, store.storedWebhook, accountId, id);

const withSecret = (json: string, secret: string): string => `${json.slice(0, -1)},"secret":"${secret}"}`;
