import type { Db } from '../db/connect.ts';
import { attempt } from '../db/records/attempt.ts';
import { literal, raw, sql } from '../db/sql.ts';

/**
 * Tells Postgres about tables that have at least doubled since it last looked at them. A statement keeps the plan it
 * got on its connection, and a plan made for an empty table goes through all rows for each row that it wants.
 * Autovacuum comes by once a minute, if at all, and by then a year in test mode is over. Tables that are already large
 * do not double, so nobody can make the server analyse large tables again and again.
 *
 * It is a help, and never a reason to fail. A user who may not analyse a table, or finds it locked, leaves it. If the
 * database is away, the next statement reports that.
 */
export async function analyzeGrown(db: Db): Promise<void> {
  // Inside a transaction it would keep its locks, and see what may yet be rolled back.
  if (db.inTransaction) return;
  try {
    await analyze(db, await findGrown(db));
  } catch {}
}

/**
 * The same inside a transaction that fills tables, which nobody else can see. Its locks only hold up others who would
 * vacuum or analyse these tables, and they try again.
 */
export async function analyzeGrownMeanwhile(tx: Db): Promise<void> {
  if (tx.isDistributed()) return;
  const grown = await findGrown(tx);
  if (grown.length > 0) await attempt(tx, () => analyze(tx, grown)).catch(() => undefined);
}

async function analyze(db: Db, names: string[]): Promise<void> {
  for (const name of names) await db.query(sql`analyze (skip_locked) ${raw(name)}`);
}

/** Plans for fewer pages than these are good enough. */
const fewPages = 8;

async function findGrown(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select quote_ident(c.relname) as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and pg_has_role(c.relowner, 'usage')
      and pg_relation_size(c.oid) / current_setting('block_size')::integer > 2 * c.relpages + ${literal(fewPages)}
    order by c.relname`);
  return rows.map(({ name }) => name);
}
