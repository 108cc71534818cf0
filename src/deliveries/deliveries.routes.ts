import type { App } from '../app.ts';
import { listReply, route, single } from '../http/routes/route.ts';
import { type PageQuery, pageBounds } from '../paging.ts';

import { listOf, singleOf } from '../shapes.ts';
import {
  Delivery,
  DeliveryList,
  DeliveryWithAttempts,
  mostRedeliveredText,
  Redelivered,
  RedeliverMany,
} from './deliveries.schema.ts';
import {
  awaitDelivery,
  getDelivery,
  listDeliveries,
  redeliver,
  redeliverMany,
  sendTest,
} from './deliveries.ts';

const tag = 'Deliveries';

const boundsOf = (query: PageQuery, { secrets }: App) =>
  pageBounds(query, secrets, '/webhooks/:id/deliveries');

export const deliveryRoutes = [
  route({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    permission: 'read',
    tag,
    summary: "List a webhook endpoint's deliveries",
    id: 'we',
    query: DeliveryList,
    success: 200,
    response: listOf(Delivery),
    // A wrong cursor is reported before a wrong id.
    prepare: async ({ app, query }) => void boundsOf(query, app),
    handle: async ({ app, db, caller, id, query }) =>
      listReply(await listDeliveries(db, caller.accountId, id, query, boundsOf(query, app))),
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/test',
    permission: 'write',
    tag,
    summary: 'Send a test event',
    description:
      'Sends `webhook.test` to this endpoint alone, even if it is disabled, and answers with the result: one attempt, which changes no counters. With an `Idempotency-Key` the answer is the delivery as it was queued; its result is at `GET /deliveries/{id}`.',
    id: 'we',
    success: 201,
    response: singleOf(DeliveryWithAttempts),
    async handle({ app, db, caller, id }) {
      const { accountId } = caller;
      const delivery = await sendTest(db, caller, id, app.now());
      // Inside a transaction no worker can see the delivery yet, so the answer is the delivery as it was queued.
      if (db.inTransaction) return single(await getDelivery(db, accountId, delivery));
      app.workers.wake();
      return single(await awaitDelivery(db, app.config.WEBHOOK_TIMEOUT_MS, accountId, delivery));
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/redeliver',
    permission: 'write',
    tag,
    summary: 'Send failed events again',
    description: `Sends again the events of this endpoint that failed since a time, or all of them: the same bytes, as new deliveries. Events that are already waiting for the endpoint are left out, so it is safe to ask twice. One request queues at most ${mostRedeliveredText} events; pass the answer's \`after\` to continue.`,
    id: 'we',
    body: RedeliverMany,
    success: 200,
    response: singleOf(Redelivered),
    conflicts: 'The endpoint is disabled.',
    handle: async ({ db, caller, id, body }) =>
      single(JSON.stringify(await redeliverMany(db, caller.accountId, id, body))),
  }),
  route({
    method: 'GET',
    path: '/deliveries/:id',
    permission: 'read',
    tag,
    summary: 'Get a delivery with its attempts',
    id: 'dlv',
    success: 200,
    response: singleOf(DeliveryWithAttempts),
    handle: async ({ db, caller, id }) => single(await getDelivery(db, caller.accountId, id)),
  }),
  route({
    method: 'POST',
    path: '/deliveries/:id/redeliver',
    permission: 'write',
    tag,
    summary: 'Send a finished delivery again',
    description: 'The same event, byte for byte, as a new delivery.',
    id: 'dlv',
    success: 201,
    response: singleOf(DeliveryWithAttempts),
    conflicts: 'The delivery has not finished, or its endpoint is disabled or deleted.',
    handle: async ({ app, db, caller, id }) => single(await redeliver(db, caller.accountId, id, app.now())),
  }),
];
