import { z } from 'zod';
import { everyEvent, isSubscribable, type Subscribed, subscribableEvents } from '../events/catalogue.ts';
import { choice, optionalText, publicId, timestamp } from '../fields.ts';
import { parseId } from '../ids.ts';
import { pageQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';

const webhookStatuses = ['active', 'failing', 'disabled'] as const;

/** Exactly the fields that the list shows. The stored record has more. */
const listed = {
  id: publicId('we'),
  url: z.string().meta({ examples: ['https://hooks.example.com/tenure'] }),
  description: z.string().nullable(),
  events: z.array(z.enum([...subscribableEvents, everyEvent])),
  status: z.enum(webhookStatuses),
  source: z.enum(['api', 'automation']),
  last_success_at: timestamp.nullable(),
  last_error_at: timestamp.nullable(),
  failure_count: z.int().meta({ description: 'Failed attempts since the last success.' }),
  created_at: timestamp,
};

const stored = {
  ...listed,
  disabled_reason: z.enum(['gone', 'owner', 'failures']).nullable().meta({
    description: 'Why it is disabled: it answered 410, you disabled it, or it only failed for 5 days.',
  }),
  skip_actors: z
    .array(publicId('key'))
    .meta({ description: 'Keys whose changes are not sent to this endpoint.' }),
  updated_at: timestamp,
};

export const Webhook = z
  .object(listed)
  .meta({ id: 'Webhook', description: 'A subscription: where to send which events.' });

export const StoredWebhook = z
  .object(stored)
  .meta({ id: 'StoredWebhook', description: 'The whole record, without the secret.' });

export const WebhookWithSecret = z
  .object({
    ...stored,
    secret: z
      .string()
      .regex(/^whsec_[0-9a-f]{64}$/)
      .meta({ description: 'Signs deliveries. Returned here only: keep it.' }),
  })
  .meta({ id: 'WebhookWithSecret' });

export const DeletedWebhook = z
  .object({ id: publicId('we'), deleted: z.literal(true) })
  .meta({ id: 'DeletedWebhook' });

const url = z
  .string('Must be an https address.')
  .min(1, 'Must be an https address.')
  .meta({ examples: ['https://hooks.example.com/tenure'] });

/**
 * Unknown names and duplicates are dropped; it is an error if nothing is left. Beside `*`, further names add nothing.
 */
const events = z
  .array(z.string('Must be the name of an event.'), 'Must be a list of event names.')
  .max(1000, 'Must name at most 1000 events.')
  .transform((names, context): Subscribed[] => {
    if (names.includes(everyEvent)) return [everyEvent];
    const known = [...new Set(names)].filter(isSubscribable);
    if (known.length > 0) return known;
    context.addIssue({
      code: 'custom',
      message: `Must name at least one of: ${subscribableEvents.join(', ')}, or * for all.`,
    });
    return z.NEVER;
  })
  .meta({
    description: '`*` stands for all events, those of later versions included.',
    examples: [['tenant.created', 'payment.created']],
  });

const mostNamed = 10;
const longestName = 60;

/**
 * Says which names in a body's `events` were dropped. The answer's body does not show that, but the caller should know.
 */
export function aboutDroppedEvents(body: unknown): string | null {
  const { events: names } = body as { events?: string[] };
  const dropped = [...new Set(names)].filter((name) => name !== everyEvent && !isSubscribable(name));
  if (dropped.length === 0) return null;
  const named = dropped.slice(0, mostNamed).map((name) => name.slice(0, longestName));
  const more = dropped.length > mostNamed ? ` and ${dropped.length - mostNamed} more` : '';
  return `Not events, so dropped: ${named.join(', ')}${more}.`;
}

/** More keys than an account can have. */
const mostSkipped = 100;

const skippedKey = z.string('Must be the id of a key, or self.').transform((text, context) => {
  const id = text === 'self' ? text : parseId('key', text);
  if (id !== null) return id;
  context.addIssue({ code: 'custom', message: 'Must be the id of a key, or self.' });
  return z.NEVER;
});

const skipActors = z
  .array(skippedKey, 'Must be a list of ids of keys.')
  .max(mostSkipped, `Must have at most ${mostSkipped} keys.`)
  .meta({
    description:
      'Keys whose changes are not sent to this endpoint, so that an automation does not answer itself: their ids, or `self` for the key that is asking.',
    examples: [[]],
  });

export const WebhookCreate = z
  .object({ url, description: optionalText(1000), events, skip_actors: skipActors.optional() })
  .meta({ id: 'WebhookCreate' });

export const WebhookPatch = patchOf({
  url,
  description: optionalText(1000),
  events,
  skip_actors: skipActors,
  status: choice(['active', 'disabled']).meta({
    description:
      '`disabled` stops it, `active` enables it again. Whether one that is enabled is `active` or `failing` follows from its deliveries.',
  }),
}).meta({ id: 'WebhookPatch' });

/** Never paged. */
const { created_since, total } = pageQuery;
export const WebhookList = z.object({ created_since, total });

export type WebhookStatus = (typeof webhookStatuses)[number];
export type WebhookInput = z.output<typeof WebhookCreate>;
export type WebhookChange = z.output<typeof WebhookPatch>;
