import type { Db } from '../db/connect.ts';
import { literal, type Sql, sql } from '../db/sql.ts';
import type { Assignee } from './assignees.schema.ts';

/** How many names are searched for a part of them. Few accounts have more. */
const lookedThrough = 200;
const suggested = 20;

/**
 * The people whom requests were assigned to, the latest first. Names that differ only in case count as one. The index
 * is read by skipping from each name to the next, so the number of requests does not matter. If there are more names
 * than are searched, those that begin with the text are found.
 */
export function findAssignees(db: Db, accountId: string, text: string): Promise<Assignee[]> {
  const part = text.toLowerCase();
  return db.query<Assignee>(sql`
    with recursive first as (${namesFrom(accountId, 'first', '', lookedThrough)}),
    same as (${namesFrom(accountId, 'same', part, suggested)})
    select found.name from (
      select key, name, id from first where strpos(key, ${part}) > 0
      union
      select key, name, id from same where starts_with(key, ${part})) found
    order by found.id desc limit ${literal(suggested)}`);
}

/** A number of names from a text on, each spelt as in its latest request. */
const namesFrom = (accountId: string, itself: 'first' | 'same', from: string, most: number): Sql => sql`
  (${nextName(accountId, sql`>= ${from}`, sql`1`)})
  union all
  select next.* from ${itself === 'first' ? sql`first` : sql`same`} before
  cross join lateral (${nextName(accountId, sql`> before.key`, sql`before.position + 1`)}) next
  where before.position < ${literal(most)}`;

const nextName = (accountId: string, beyond: Sql, position: Sql): Sql => sql`
  select lower(m.assigned_to) collate "C" as key, m.assigned_to as name, m.id, ${position} as position
  from maintenance_requests m
  where m.account_id = ${accountId} and m.assigned_to is not null and lower(m.assigned_to) collate "C" ${beyond}
  order by lower(m.assigned_to) collate "C", m.id desc limit 1`;
