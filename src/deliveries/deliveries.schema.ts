import { z } from 'zod';
import { eventNames } from '../events/catalogue.ts';
import { choiceFilter, idOf, moment, publicId, timestamp } from '../fields.ts';
import { pageQuery } from '../paging.ts';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'cancelled'] as const;

/** How many events one request for redelivery queues. */
export const mostRedelivered = 5_000;
export const mostRedeliveredText = mostRedelivered.toLocaleString('en-US');

const deliveryFields = {
  id: publicId('dlv').meta({ description: 'The same over all attempts; a redelivery has a new one.' }),
  webhook_id: publicId('we'),
  event_id: publicId('evt'),
  event: z.enum(eventNames),
  kind: z.enum(['event', 'redelivery', 'test']),
  status: z.enum(deliveryStatuses).meta({
    description:
      '`pending` until an attempt is answered with 2xx (`succeeded`), the attempts are used up (`failed`) or the endpoint is disabled or deleted (`cancelled`).',
  }),
  attempt_count: z.int().meta({ description: 'Attempts made so far, one under way included.' }),
  next_attempt_at: timestamp
    .nullable()
    .meta({ description: 'When the next attempt is due; null when it is under way or there is none.' }),
  last_response_status: z.int().nullable(),
  last_error: z.string().nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
};

export const Delivery = z
  .object(deliveryFields)
  .meta({ id: 'Delivery', description: 'One event on its way to one webhook endpoint.' });

export const DeliveryAttempt = z
  .object({
    attempt: z.int().meta({ description: 'From 1.' }),
    started_at: timestamp,
    duration_ms: z.int().nullable(),
    outcome: z.string().meta({
      description:
        '`success`, or what went wrong: `http_error`, `timeout`, `refused`, `tls`, `interrupted`, …',
      examples: ['success'],
    }),
    request: z
      .object({ headers: z.record(z.string(), z.string()), body: z.string().nullable() })
      .nullable()
      .meta({ description: 'What was sent; the body is the same bytes in every attempt.' }),
    response: z
      .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string().nullable() })
      .nullable()
      .meta({ description: 'What came back: a few headers and the first 8 KiB of the body.' }),
    error: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

export const DeliveryWithAttempts = z.object({ ...deliveryFields, attempts: z.array(DeliveryAttempt) }).meta({
  id: 'DeliveryWithAttempts',
  description: 'A delivery and every attempt made, the first one first.',
});

export const RedeliverMany = z
  .object({
    since: moment.meta({
      description: 'Deliveries of this time or later.',
      examples: ['2026-11-15T09:30:00.000Z'],
    }),
    status: z
      .enum(['failed', 'all'], 'Must be failed or all.')
      .optional()
      .meta({
        description:
          '`failed`, which is the default: events that never arrived, because all attempts failed or the endpoint was disabled. `all`: those that arrived too.',
        examples: ['failed'],
      }),
    after: idOf('evt')
      .optional()
      .meta({ description: 'Only events after this one: the `after` of the previous answer.' }),
  })
  .meta({ id: 'RedeliverMany' });

export const Redelivered = z
  .object({
    queued: z.int().meta({ description: 'How many events are sent again.', examples: [42] }),
    more: z.boolean().meta({
      description: `Whether there may be more, because one request queues at most ${mostRedeliveredText}, oldest first.`,
    }),
    after: publicId('evt')
      .nullable()
      .meta({ description: 'The last event of these. If there may be more, ask again with it as `after`.' }),
  })
  .meta({ id: 'Redelivered' });

export type RedeliverMany = z.output<typeof RedeliverMany>;

export const DeliveryList = z.object({
  status: choiceFilter(deliveryStatuses),
  event: choiceFilter(eventNames),
  ...pageQuery,
});

export type DeliveryFilter = z.output<typeof DeliveryList>;
