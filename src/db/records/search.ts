import { raw, type Sql, sql } from '../sql.ts';

/**
 * Whether the columns, joined in this order, contain the text in any letter case. An é may be one character or an e
 * with an accent, in the columns as in the text; both are found.
 */
export function matches(columns: string[], text: string): Sql {
  const [one, other] = new Set([text.normalize('NFC'), text.normalize('NFD')]);
  return other === undefined
    ? contains(columns, one)
    : sql`(${contains(columns, one)} or ${contains(columns, other)})`;
}

function contains(columns: string[], text = ''): Sql {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  return sql`${raw(`concat_ws(' ', ${columns.join(', ')})`)} ilike ${pattern}`;
}
