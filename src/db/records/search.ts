import { join, raw, type Sql, sql } from '../sql.ts';

/** What a list is searched for. */
export interface Search {
  /** Whether a row matches. */
  matches: Sql;
  /** Whether an index finds the rows. Otherwise they are looked through. */
  indexed: boolean;
  /** The ids of all rows that may match, where no index on the table alone finds them. */
  found?: Sql;
}

/**
 * Rows that have the text in any part and any letter case; a text of one or two characters, where a word begins. An é
 * may be one character or an e with an accent; both are found. So are phone numbers, however they are punctuated.
 */
export const searchFor = (alias: string, text: string): Search => searchIn(`${alias}.search_text`, text);

/** Likewise, in an expression: text in lower case that begins with a space. */
export function searchIn(column: string, text: string): Search {
  const indexed = isIndexed(text);
  return { indexed, matches: anyOf(column, isBeginning.test(text) ? ` ${text}` : text, indexed) };
}

/** Whether an index of text finds what has it. */
export const isIndexed = (text: string): boolean => hasTrigram.test(text) || isBeginning.test(text);

/** Rows in which a word begins with the text. */
export function searchForBeginning(alias: string, text: string): Search {
  const indexed = /^[a-z0-9]/i.test(text);
  return { indexed, matches: anyOf(`${alias}.search_text`, ` ${text}`, indexed) };
}

/**
 * The index knows letters and digits of ASCII alone on every Postgres: where the language is C, no others are
 * letters.
 */
const hasTrigram = /[a-z0-9]{3}/i;
const isBeginning = /^[a-z0-9]{1,2}$/i;
const isPhoneNumber = /^[\d\s+()./-]*$/;
const leastDigits = 4;

function anyOf(expression: string, text: string, indexed: boolean): Sql {
  // With another collation than the index has, Postgres does not think of it.
  const column = raw(indexed ? expression : `${expression} collate "C"`);
  const digits = text.replace(/\D/g, '');
  if (!isPhoneNumber.test(text) || digits.length < leastDigits) return contains(column, text);
  return sql`(${contains(column, text)} or ${contains(column, digits)})`;
}

/** Whether a text in lower case contains another, in any letter case. */
export function contains(column: Sql, text: string): Sql {
  const forms = [...new Set([text.normalize('NFC'), text.normalize('NFD')])];
  const likes = forms.map((form) => {
    const pattern = `%${form.replace(/[\\%_]/g, '\\$&')}%`;
    // In a select of its own, it is written in lower case once and not for every row.
    return sql`${column} like (select lower(${pattern}))`;
  });
  return likes.length === 1 ? join(likes, '') : sql`(${join(likes, ' or ')})`;
}
