import { bigint, integer, notShown, orNull, reference, table, text, word } from '../db/records/columns.ts';
import type { RecordType } from './records.ts';

export const files = table(
  'files',
  { alias: 'f', prefix: 'file' },
  {
    record_type: word<RecordType>(),
    // Its id is shown with the prefix of its kind.
    record_id: notShown(reference('prop')),
    name: text,
    content_type: word(),
    size: bigint,
    width: orNull(integer),
    height: orNull(integer),
    position: integer,
    source: word<'api' | 'dashboard'>(),
  },
);
