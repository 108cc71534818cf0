import { z } from 'zod';
import { actorTypes } from '../caller.ts';
import { invalidField } from '../errors.ts';
import { choiceFilter, exampleId, publicId, timestamp } from '../fields.ts';
import { parseId } from '../ids.ts';
import { pageQuery } from '../paging.ts';
import { apiVersion, eventNames } from './catalogue.ts';

export const Actor = z
  .object({
    type: z.enum(actorTypes).meta({
      description:
        'A person in the dashboard, an API key (assistants use one too), an import, the clock (what happens by itself), or whoever runs the installation.',
    }),
    id: z
      .string()
      .nullable()
      .meta({
        description: 'The key or the person; for an import, who imported.',
        examples: ['key_019a8b2c4d5e7f608192a3b4c5d6e7f8'],
      }),
    name: z.string().meta({ description: 'Its name at that time.', examples: ['Bookkeeping'] }),
  })
  .meta({ id: 'Actor', description: 'Who made a change.' });

export const ChangedField = z
  .object({
    field: z.string().meta({ examples: ['rent_cents'] }),
    from: z.unknown().meta({ examples: [125000] }),
    to: z.unknown().meta({ examples: [130000] }),
  })
  .meta({
    id: 'ChangedField',
    description: 'A field before and after the change. For a secret, both are null.',
  });

export const Event = z
  .object({
    id: publicId('evt'),
    event: z.enum(eventNames),
    created_at: timestamp,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The record as it was, under its name: `data.payment` of `payment.created`.' }),
    actor: Actor.nullable().meta({
      description: 'Who made the change. Null for events from before this was recorded.',
    }),
    api_version: z.string().meta({
      description: 'The version of the API whose record is in `data`, as in its path.',
      examples: [apiVersion],
    }),
    mode: z
      .literal('test')
      .optional()
      .meta({ description: 'Only in test mode. Live events have no `mode`.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened, exactly as it is sent to webhook endpoints.' });

const afterMessage = 'Must be the id of an event (evt_ and 32 hexadecimal digits), `beginning` or `latest`.';

/** Where the feed continues: after this event (its uuid, internally), at the oldest event, or with future ones. */
const after = z
  .string(afterMessage)
  .transform((value, context) => {
    if (value === 'beginning' || value === 'latest') return value;
    const uuid = parseId('evt', value);
    if (uuid !== null) return uuid;
    context.addIssue({ code: 'custom', message: afterMessage });
    return z.NEVER;
  })
  .meta({
    idPrefix: 'evt',
    pattern: '^(evt_[0-9a-f]{32}|beginning|latest)$',
    examples: [exampleId('evt')],
    description:
      'Only events that were committed after this one, in that order, the oldest first. No event ever appears before one that was shown, so a reader who continues after the last id seen misses none. `beginning` begins with the oldest event that is kept; `latest` shows only the last event, whatever its name, to continue after it; not with `event`. Not with `created_since`.',
  });

const waitMessage = 'Must be a whole number from 0 to 30.';

export const EventList = z.object({
  event: choiceFilter(eventNames),
  after: after.optional(),
  wait: z
    .string(waitMessage)
    .regex(/^\d{1,2}$/, waitMessage)
    .transform(Number)
    .refine((value) => value <= 30, waitMessage)
    .optional()
    .meta({
      description:
        'With `after`: if there is no such event yet, the answer waits for one, at most this many seconds (up to 30). At most 20 requests of an account wait at once.',
      type: 'integer',
      minimum: 0,
      maximum: 30,
      examples: [20],
    }),
  ...pageQuery,
});

export type EventFilter = z.output<typeof EventList>;
export type After = NonNullable<EventFilter['after']>;

/** Refuses parameters that cannot be combined. */
export function refuseMixture({ after, event, wait, created_since }: EventFilter): void {
  if (after !== undefined && created_since !== undefined)
    throw invalidField('created_since', 'Cannot be given with `after`, which says where to begin.');
  if (after === 'latest' && event !== undefined)
    throw invalidField(
      'event',
      'Cannot be given with `after=latest`, which shows the last event, whatever its name.',
    );
  if (after === undefined && wait !== undefined) throw invalidField('wait', 'Needs `after`.');
}
