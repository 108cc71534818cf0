import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import type { Page } from '../db/lists/list.ts';
import { conflict, invalidField, notFound, tooManyRequests } from '../errors.ts';
import { formatId, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import { RateLimit } from '../rate-limit.ts';
import { storedWebhook } from '../webhooks/webhook-shapes.ts';
import { getWebhook } from '../webhooks/webhooks.ts';
import { type DeliveryFilter, mostRedelivered, type RedeliverMany } from './deliveries.schema.ts';
import * as store from './deliveries.store.ts';
import { workersAtWork } from './worker-beats.ts';

/** How often to look for a test's result. The intervals grow, because most endpoints answer at once, and some never. */
const lookAfterMs = { first: 25, most: 500 };

/** Limits an account's tests, which overtake its backlog and keep a request waiting until they are answered. */
const tests = new RateLimit(2, 20);

function countTest(accountId: string, now: Date): void {
  const { allowed, retryAfterSeconds } = tests.take(accountId, now.getTime());
  if (!allowed) throw tooManyRequests(retryAfterSeconds);
}

export async function listDeliveries(
  db: Db,
  accountId: string,
  webhookId: string,
  filter: DeliveryFilter,
  bounds: PageBounds,
): Promise<Page> {
  await getWebhook(db, accountId, webhookId);
  return store.listDeliveries(db, accountId, webhookId, filter, bounds);
}

export async function getDelivery(db: Db, accountId: string, id: string): Promise<string> {
  const json = await store.findDelivery(db, accountId, id);
  if (json === null) throw notFound();
  return json;
}

/** Sends a finished delivery's event again: the same bytes in a new delivery. */
export function redeliver(db: Db, accountId: string, id: string, now: Date): Promise<string> {
  return db.transaction(async (tx) => {
    const found = await store.findForRedelivery(tx, accountId, id);
    if (found === null) throw notFound();
    refuseRedelivery(found);
    // A test that is sent again is still a test: one attempt that says nothing about the endpoint.
    const kind = found.kind === 'test' ? 'test' : 'redelivery';
    if (kind === 'test') countTest(accountId, now);
    return getDelivery(tx, accountId, await store.insertRedelivery(tx, accountId, id, kind));
  });
}

function refuseRedelivery({ pending, endpoint_status, event_kept }: store.Redeliverable): void {
  // Whatever is still queued for a deleted endpoint is cancelled and never sent.
  if (endpoint_status === null)
    throw conflict('endpoint_deleted', 'The webhook endpoint of this delivery was deleted.');
  if (pending)
    throw conflict(
      'delivery_pending',
      'This delivery is still on its way; it can be sent again once it has finished.',
    );
  if (endpoint_status === 'disabled')
    throw conflict(
      'endpoint_disabled',
      'The webhook endpoint is disabled; set its status to active first, then send this again.',
    );
  if (!event_kept) throw conflict('event_expired', 'The event of this delivery is no longer kept.');
}

/** How many events are queued in each transaction. Other requests run in between. */
const batch = 500;

/**
 * Sends an endpoint's events since some time again: those that failed, or all. Leaves out what is already queued for
 * it.
 */
export async function redeliverMany(
  db: Db,
  accountId: string,
  webhookId: string,
  { since, status = 'failed', after: first }: RedeliverMany,
): Promise<{ queued: number; more: boolean; after: string | null }> {
  if (first !== undefined && !(await store.hasEvent(db, accountId, first)))
    throw invalidField('after', 'There is no event with this id here, or it is no longer kept.');
  let queued = 0;
  // The first events may arrive before the last are queued, so each part starts after the previous one.
  let after = first;
  while (queued < mostRedelivered) {
    const again = await db.transaction(async (tx) => {
      const endpoint = await store.lockEndpoint(tx, accountId, webhookId);
      if (endpoint === null) throw notFound();
      if (endpoint === 'disabled')
        throw conflict(
          'endpoint_disabled',
          'The webhook endpoint is disabled; set its status to active first, then send these again.',
        );
      const ids = Array.from({ length: batch }, newId);
      return store.queueAgain(tx, accountId, webhookId, { since, status, after }, ids);
    });
    queued += again.length;
    after = again.at(-1) ?? after;
    if (again.length < batch) return { queued, more: false, after: shown(after) };
  }
  return { queued, more: true, after: shown(after) };
}

const shown = (event: string | undefined) => (event === undefined ? null : formatId('evt', event));

/** Queues a test event for one endpoint, whatever its status; returns the delivery's id. */
export async function sendTest(
  db: Db,
  { accountId, actor }: Caller,
  webhookId: string,
  now: Date,
): Promise<string> {
  await getWebhook(db, accountId, webhookId);
  countTest(accountId, now);
  const id = await store.insertTest(db, accountId, webhookId, storedWebhook, actor);
  if (id === null) throw notFound();
  return id;
}

/** Returns the delivery once it has finished, or as it is if that takes too long or no worker runs. */
export async function awaitDelivery(
  db: Db,
  timeoutMs: number,
  accountId: string,
  id: string,
): Promise<string> {
  const until = performance.now() + timeoutMs + 1_000;
  if ((await workersAtWork(db)).length > 0) {
    let wait = lookAfterMs.first;
    while (performance.now() < until && !(await store.isFinished(db, accountId, id))) {
      await sleep(wait);
      wait = Math.min(wait * 1.5, lookAfterMs.most);
    }
  }
  return getDelivery(db, accountId, id);
}
