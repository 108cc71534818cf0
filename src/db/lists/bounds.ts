import type { Rows } from '../records/shape.ts';
import { raw, type Sql, sql } from '../sql.ts';
import type { ChangeBounds } from './changed-rows.ts';
import type { SortBounds } from './sorted-rows.ts';

/** The requested page. */
interface Bounds {
  limit: number;
  before: string | null;
  since: string | null;
  total?: boolean;
  /** Records changed since some time, in the order of commits, instead of the newest records. */
  changes?: ChangeBounds | undefined;
  /** The order of a field. */
  sort?: SortBounds | undefined;
}

export interface Bounded {
  accountId: string;
  bounds: Bounds;
}

const pageSizes = [1, 10, 25, 50, 100, 200, 500, 1000];

/**
 * Rounds a page's size up to one of a few. The statement has the exact size as a value, and the rounded one in its
 * text. A plan made for all callers does not know the value, and Postgres would then assume that a page is a tenth of
 * the table.
 */
export const roundedSize = (limit: number): number => pageSizes.find((size) => size >= limit) ?? limit;

export const olderThan = ({ alias }: Rows, bounds: Bounds): Sql[] =>
  bounds.before === null ? [] : [sql`${raw(alias)}.id < ${bounds.before}`];

export const notOlder = ({ alias }: Rows, bounds: Bounds, further?: Sql): Sql[] => [
  ...(bounds.since === null ? [] : [sql`${raw(alias)}.id >= ${bounds.since}`]),
  ...(further ? [sql`${raw(alias)}.id >= ${further}`] : []),
];

export const lowestId = raw("'00000000-0000-0000-0000-000000000000'::uuid");
export const highestId = raw("'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid");
