import { z } from 'zod';
import { type ChangeBounds, readChangePosition } from './db/lists/changed-rows.ts';
import { readSortPosition, type SortBounds } from './db/lists/sorted-rows.ts';
import { invalidField } from './errors.ts';
import { choice, flag, moment } from './fields.ts';
import { lowestIdAt } from './ids.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { readTaggedId, readTaggedText, writeTaggedId, writeTaggedText } from './secrets/tagged-id.ts';

/** The query parameters that every list takes. */
export const pageQuery = {
  limit: z
    .string('Must be a whole number from 1 to 1000.')
    .regex(/^\d{1,4}$/, 'Must be a whole number from 1 to 1000.')
    .transform(Number)
    .refine((value) => value >= 1 && value <= 1000, 'Must be a whole number from 1 to 1000.')
    .default(1000)
    .meta({
      description: 'Maximum number of records, 1 to 1000.',
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      default: 1000,
    }),
  cursor: z
    .string('Must be given once.')
    .optional()
    .meta({ description: 'Where to continue: taken from the `Link` header of the previous page.' }),
  created_since: moment.optional().meta({
    description: 'Only records created at or after this time.',
    examples: ['2026-11-01T00:00:00.000Z'],
  }),
  total: flag.optional().meta({
    description:
      '`true`: the header `X-Total-Count` says how many match on all pages; 100000 means this many or more.',
  }),
};

/** Parameters of lists of records that change. */
export const changeQuery = {
  ...pageQuery,
  updated_since: moment.optional().meta({
    description:
      'Only records changed at or after this time, in the order in which the changes were committed, oldest first. A reader who continues with the `updated_at` of the last record, or with the last `Link`, misses no change: one that was committed late is shown even though its time is earlier.',
    examples: ['2026-11-01T00:00:00.000Z'],
  }),
};

/** Parameters of lists that can be sorted by these fields, or in descending order by `-field`. */
export function sortedQuery<const Field extends string>(fields: readonly Field[]) {
  const [first, ...others] = [...fields, 'created_at' as const].flatMap((field) => [
    field,
    `-${field}` as const,
  ]);
  return {
    ...changeQuery,
    sort: choice([first as Field | 'created_at' | `-${Field}` | '-created_at', ...others])
      .optional()
      .meta({
        description:
          'The field to sort by; with a minus, in descending order. Records with the same value come in the order of their creation. Not with `updated_since`, which has an order of its own. Default: `-created_at`.',
      }),
  };
}

export interface PageQuery {
  limit: number;
  cursor?: string | undefined;
  created_since?: string | undefined;
  total?: boolean | undefined;
  updated_since?: string | undefined;
  sort?: string | undefined;
}

/** What a store needs to cut a page: ids below `before`, not below `since`. */
export interface PageBounds {
  limit: number;
  before: string | null;
  since: string | null;
  /** Whether to count all matches. */
  total?: boolean;
  /** Asks for records changed since some time, in the order of commits. */
  changes?: ChangeBounds | undefined;
  /** The order of a field. */
  sort?: SortBounds | undefined;
}

export function pageBounds(query: PageQuery, secrets: SecretBox, list: string): PageBounds {
  const { limit, cursor, created_since, updated_since, sort = '-created_at', total = false } = query;
  const since = created_since === undefined ? null : lowestIdAt(new Date(created_since));
  const positionOf = <Position>(read: (text: string) => Position | null): Position | null =>
    cursor === undefined ? null : known(read(readPosition(cursor, secrets, list)));
  if (updated_since !== undefined) {
    if (query.sort !== undefined)
      throw invalidField('sort', 'Must not be given together with `updated_since`.');
    const behind = positionOf(readChangePosition);
    return { limit, before: null, since, total, changes: { since: updated_since, behind } };
  }
  // Ids have the order of creation.
  if (sort !== '-created_at') {
    const behind = positionOf((text) => readSortPosition(text, sort));
    return { limit, before: null, since, total, sort: { name: sort, behind } };
  }
  return { limit, before: cursor === undefined ? null : readCursor(cursor, secrets, list), since, total };
}

const isId = (text: string): boolean => /^[\da-f]{8}-[\da-f-]{27}$/.test(text);

/** `after` is an id, or other text for a list in another order. */
export const writeCursor = (after: string, secrets: SecretBox, list: string): string =>
  isId(after) ? writeTaggedId(after, list, secrets) : writeTaggedText(after, list, secrets);

const readCursor = (cursor: string, secrets: SecretBox, list: string): string =>
  known(readTaggedId(cursor, list, secrets));

/** Where a list that is not ordered by id continues. */
export const readPosition = (cursor: string, secrets: SecretBox, list: string): string =>
  known(readTaggedText(cursor, list, secrets));

function known<Position>(after: Position | null): Position {
  if (after !== null) return after;
  throw invalidField('cursor', 'Must be a cursor taken from the Link header of this list.');
}

/** `from` and `to` of a date range, both inclusive. */
export function checkRange(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidField('from', 'Must not be after `to`.');
  }
}
