import type { Rows } from '../records/shape.ts';
import { all, join, literal, none, raw, type Sql, sql } from '../sql.ts';
import { notOlder } from './bounds.ts';
import type { ListQuery } from './query.ts';
import { newestOf, setsOf, streamsOf, valueIn } from './selections.ts';

/** At most this many records are counted or examined. A total of this number means this many or more. */
export const mostCounted = 100_000;

/** Counts the rows of an expression, up to `mostCounted`. */
export const countOf = (rows: Sql): Sql => sql`
  select count(*)::integer from (select from (${rows}) counted limit ${literal(mostCounted)}) counted`;

/**
 * How many rows match on all pages. They are read as for a page, through the account's own index entries, so the cost
 * does not depend on other accounts' rows. Filters without an index are applied to the newest rows. If there are older
 * ones, the total is unknown, unless the newest alone reach the maximum.
 */
export function totalOf(shape: Rows, query: ListQuery): Sql {
  const { accountId, conditions = [], countConditions = conditions, few, search, selections = [] } = query;
  const whole = { ...query, bounds: { ...query.bounds, before: null } };
  const most = mostCounted + 1;
  if (selections.some((selection) => selection.length > 0))
    return countOf(
      join(
        selections.map((selection) => {
          const streams = streamsOf(selection);
          const wanted = { columns: 'id', most, streamValue: valueIn(streams) };
          const rows = newestOf(shape, whole, selection, wanted);
          return sql`select matching.id from ${setsOf(streams)} cross join lateral (${rows}) matching`;
        }),
        ' union all ',
      ),
    );
  const alias = raw(shape.alias);
  const own = all([
    sql`${alias}.account_id = ${accountId}`,
    ...notOlder(shape, whole.bounds),
    ...(few ? [few] : []),
  ]);
  const order = few ? none : sql`order by ${alias}.id desc`;
  const looked = (columns: string): Sql =>
    sql`select ${raw(columns)} from ${raw(shape.table)} ${alias} where ${own} ${order} limit ${literal(most)}`;
  const kept = [...(search ? [search.matches] : []), ...countConditions];
  if (kept.length === 0) return countOf(looked('1'));
  return sql`
    select case when matching.count >= ${literal(mostCounted)} then ${literal(mostCounted)}
      when (select count(*) from (${looked('1')}) looked) < ${literal(most)} then matching.count end
    from (select count(*)::integer as count from (${looked('*')}) ${alias} where ${all(kept)}) matching`;
}
