import { z } from 'zod';
import { actorTypes } from '../caller.ts';
import { choiceFilter, publicId, timestamp } from '../fields.ts';
import { pageQuery } from '../paging.ts';
import { eventNames } from './catalogue.ts';

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
        description: 'The key or the person; of an import, who imported.',
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
    description: 'A field as it was and as it became. Of a secret, both are null.',
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
  })
  .meta({ id: 'Event', description: 'Something that happened, exactly as it is sent to webhook endpoints.' });

export const EventList = z.object({ event: choiceFilter(eventNames), ...pageQuery });

export type EventFilter = z.output<typeof EventList>;
