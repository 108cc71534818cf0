import { z } from 'zod';
import { Actor, ChangedField } from '../events/events.schema.ts';
import { publicId, requiredText, timestamp } from '../fields.ts';
import { pageQuery } from '../paging.ts';

const historyActions = ['created', 'updated', 'deleted', 'erased', 'started', 'expiring', 'noted'] as const;

export const HistoryEntry = z
  .object({
    id: publicId('hst'),
    action: z.enum(historyActions).meta({ examples: ['updated'] }),
    actor: Actor,
    changes: z.array(ChangedField).nullable().meta({
      description: 'The changed fields. Null for a new record, and for actions that change no field.',
    }),
    note: z
      .string()
      .nullable()
      .meta({ description: 'The text of a note.', examples: [null] }),
    created_at: timestamp,
  })
  .meta({ id: 'HistoryEntry', description: 'One change of a record, or a note about it.' });

/** An entry in the histories of all records. */
export const HistoryOfRecord = z.object({ record_id: z.string(), ...HistoryEntry.shape });

export const HistoryList = z.object(pageQuery);

export const NoteCreate = z
  .object({ note: requiredText(10_000).meta({ examples: ['She will call back on Monday.'] }) })
  .meta({ id: 'NoteCreate' });

export type HistoryEntry = z.output<typeof HistoryEntry>;
export type HistoryActor = z.output<typeof Actor>;
