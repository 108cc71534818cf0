import type { Database } from '../../src/db/connect.ts';

interface Table {
  name: string;
  comment: string | null;
  /** Only for a view. */
  definition: string | null;
}

interface Column {
  name: string;
  type: string;
  nullable: boolean;
  default: string | null;
  comment: string | null;
}

interface Named {
  name: string;
  definition: string;
}

/** db/schema.md, from the catalog of a migrated database. */
export async function describeSchema(db: Database): Promise<string> {
  const { rows } = await db.pool.query<Table>(`
    select c.relname as name, obj_description(c.oid, 'pg_class') as comment,
      case c.relkind when 'v' then pg_get_viewdef(c.oid, true) end as definition
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') order by c.relname`);
  const tables = [];
  for (const table of rows) tables.push(await describeTable(db, table));
  return [
    '# The schema',
    '',
    'Generated from the catalog after all migrations (`npm run generate`); do not edit. The reasons are in [migrations/](migrations/).',
    '',
    rows.map(({ name }) => `[${name}](#${name})`).join(' · '),
    '',
    ...tables,
  ].join('\n');
}

async function describeTable(db: Database, table: Table): Promise<string> {
  const lines = [`## ${table.name}`, ''];
  if (table.comment) lines.push(table.comment, '');
  lines.push('| column | type | null | default |', '|---|---|---|---|');
  for (const column of await columnsOf(db, table.name)) {
    const name = column.comment ? `${column.name}: ${column.comment}` : column.name;
    const value = column.default === null ? '' : `\`${column.default}\``;
    const cells = [name, column.type, column.nullable ? 'yes' : '', value];
    lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  }
  lines.push('');
  if (table.definition) lines.push('```sql', table.definition.trim(), '```', '');
  lines.push(...list('Constraints', await constraintsOf(db, table.name)));
  lines.push(...list('Indexes', await indexesOf(db, table.name)));
  return lines.join('\n');
}

function list(title: string, entries: Named[]): string[] {
  if (entries.length === 0) return [];
  return [`${title}:`, '', ...entries.map(({ name, definition }) => `- ${name}: \`${definition}\``), ''];
}

async function columnsOf(db: Database, table: string): Promise<Column[]> {
  const { rows } = await db.pool.query<Column>(
    `select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
      case a.attgenerated when 's' then 'generated: ' else '' end || pg_get_expr(d.adbin, d.adrelid) as default,
      col_description(a.attrelid, a.attnum) as comment
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  );
  return rows;
}

/** NOT NULL is shown with the columns. (Postgres 18 also keeps it as a constraint.) */
async function constraintsOf(db: Database, table: string): Promise<Named[]> {
  const { rows } = await db.pool.query<Named>(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = $1::regclass and contype <> 'n' order by array_position(array['p', 'u', 'x', 'f', 'c'], contype::text), conname`,
    [table],
  );
  return rows;
}

/** Indexes of constraints are shown with the constraints. */
async function indexesOf(db: Database, table: string): Promise<Named[]> {
  const { rows } = await db.pool.query<Named>(
    `select c.relname as name, regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid and contype in ('p', 'u', 'x'))
    order by c.relname`,
    [table],
  );
  return rows;
}
