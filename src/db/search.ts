import { raw, type Sql, sql } from './sql.ts';

/** Whether any of the columns, read one after the other, contains the text (letter case aside). */
export function matches(columns: string[], text: string): Sql {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`${raw(`concat_ws(' ', ${columns.join(', ')})`)} ilike ${pattern}`;
}
