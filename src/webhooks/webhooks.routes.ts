import type { App } from '../app.ts';
import { badRequest } from '../errors.ts';
import { route, single } from '../http/routes/route.ts';
import { lowestIdAt } from '../ids.ts';
import { checkUrl } from '../safe-url/safe-url.ts';
import { listOf, singleOf } from '../shapes.ts';
import {
  aboutDroppedEvents,
  DeletedWebhook,
  StoredWebhook,
  Webhook,
  WebhookCreate,
  WebhookList,
  WebhookPatch,
  WebhookWithSecret,
} from './webhooks.schema.ts';
import { listWebhooks } from './webhooks.store.ts';
import { changeWebhook, getWebhook, rotateSecret, subscribe, unsubscribe } from './webhooks.ts';

const tag = 'Webhooks';
/** Deliveries change these fields. */
const unsettled = ['last_success_at', 'last_error_at', 'failure_count'];

export const webhookRoutes = [
  route({
    method: 'GET',
    path: '/webhooks',
    permission: 'read',
    tag,
    summary: 'List webhook subscriptions',
    description: 'All of them, newest first, never with their secrets.',
    query: WebhookList,
    success: 200,
    response: listOf(Webhook),
    unsettled,
    async handle({ db, caller, query }) {
      const since = query.created_since === undefined ? null : lowestIdAt(new Date(query.created_since));
      const { data, count } = await listWebhooks(db, caller.accountId, since);
      // There is only one page.
      return { body: `{"data":${data},"count":${count}}`, total: query.total ? count : null };
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks',
    permission: 'write',
    tag,
    summary: 'Create a webhook subscription',
    description:
      'The URL must pass the safe-URL check: https, a public address. Unknown names in `events` are dropped, and listed in the `Warning` header. Only this response and that of rotate-secret contain the signing secret.',
    body: WebhookCreate,
    warn: aboutDroppedEvents,
    success: 201,
    secret: true,
    response: singleOf(WebhookWithSecret),
    conflicts: 'The account has reached its limit of endpoints, 100 by default.',
    prepare: ({ app, body }) => safeUrl(app, body.url),
    handle: async ({ app, db, caller, body, prepared, userAgent }) =>
      single(
        await subscribe(
          db,
          app.secrets,
          {
            ...body,
            url: prepared,
            caller,
            source: isAutomation(userAgent, app.config.AUTOMATION_USER_AGENTS) ? 'automation' : 'api',
          },
          app.config.WEBHOOKS_PER_ACCOUNT,
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/webhooks/:id',
    permission: 'read',
    tag,
    summary: 'Get a webhook subscription',
    id: 'we',
    success: 200,
    response: singleOf(StoredWebhook),
    unsettled,
    handle: async ({ db, caller, id }) => single(await getWebhook(db, caller.accountId, id)),
  }),
  route({
    method: 'PATCH',
    path: '/webhooks/:id',
    permission: 'write',
    tag,
    summary: 'Change, disable or enable a webhook subscription',
    description:
      'Disabling cancels queued deliveries. Only you can enable it again: a disabled endpoint never becomes active by itself.',
    id: 'we',
    body: WebhookPatch,
    warn: aboutDroppedEvents,
    success: 200,
    response: singleOf(StoredWebhook),
    unsettled,
    prepare: ({ app, body }) =>
      body.url === undefined ? Promise.resolve(undefined) : safeUrl(app, body.url),
    handle: async ({ db, caller, id, body, prepared, now }) =>
      single(await changeWebhook(db, caller, id, { ...body, url: prepared }, now)),
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/:id',
    permission: 'write',
    tag,
    summary: 'Delete a webhook subscription',
    description: 'Cancels its queued deliveries.',
    id: 'we',
    success: 200,
    response: singleOf(DeletedWebhook),
    handle: async ({ db, caller, id, now }) => single(await unsubscribe(db, caller, id, now)),
  }),
  route({
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    permission: 'write',
    tag,
    summary: 'Give a webhook subscription a new secret',
    description: 'For 24 hours deliveries are signed with both: `t=…,v1=<new>,v1=<old>`.',
    id: 'we',
    success: 200,
    secret: true,
    response: singleOf(WebhookWithSecret),
    // Signatures use real time.
    handle: async ({ app, db, caller, id }) =>
      single(await rotateSecret(db, app.secrets, caller, id, app.now())),
  }),
];

/** The URL as it is stored, or a 400 with the check's own sentence. */
async function safeUrl(app: App, url: string): Promise<string> {
  const rules = {
    allowHttp: app.config.WEBHOOK_ALLOW_HTTP,
    allowedTargets: app.config.WEBHOOK_ALLOWED_TARGETS,
  };
  const verdict = await checkUrl(url, rules).catch(() => ({
    ok: false as const,
    message: 'Invalid webhook URL',
  }));
  if (!verdict.ok) throw badRequest('unsafe_url', verdict.message);
  // The URL is kept as it was sent if the parser only added a trailing slash.
  return verdict.url === `${url}/` ? url : verdict.url;
}

function isAutomation(userAgent: string, names: string[]): boolean {
  const given = userAgent.toLowerCase();
  return names.some((name) => given.includes(name.toLowerCase()));
}
