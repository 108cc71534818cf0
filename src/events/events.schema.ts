import { z } from 'zod';
import { choiceFilter, publicId, timestamp } from '../fields.ts';
import { pageQuery } from '../paging.ts';
import { eventNames } from './catalogue.ts';

export const Event = z
  .object({
    id: publicId('evt'),
    event: z.enum(eventNames),
    created_at: timestamp,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The record as it was, under its name: `data.payment` of `payment.created`.' }),
  })
  .meta({ id: 'Event', description: 'Something that happened, exactly as it is sent to webhook endpoints.' });

export const EventList = z.object({ event: choiceFilter(eventNames), ...pageQuery });

export type EventFilter = z.output<typeof EventList>;
