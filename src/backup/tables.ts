import type pg from 'pg';

export interface Table {
  name: string;
  /** All columns, in order: a row is written as one value of the table's type. */
  columns: string[];
  /** The columns that the database does not generate from others. */
  stored: string[];
}

/** Not data: the schema's version is in the head, and today's workers will be gone by then. */
const leftOut = ['schema_migrations', 'workers'];

/** The tables with data, each after those that it references. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as stored
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select f.relname as from, t.relname as to from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and f.relnamespace = current_schema()::regnamespace and f.oid <> t.oid`);
  return inOrder(
    tables.filter(({ name }) => !leftOut.includes(name)),
    references,
  );
}

function inOrder(tables: Table[], references: { from: string; to: string }[]): Table[] {
  const ordered: Table[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const free = [...waiting].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && names.has(to)),
    );
    if (free.length === 0)
      throw new Error(`Tables reference each other in a circle: ${[...names].join(', ')}.`);
    for (const table of free) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}

/** A name as SQL text. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
