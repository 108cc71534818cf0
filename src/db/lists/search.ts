import { all, join, raw, type Sql, sql } from '../sql.ts';

/** What to search a list for. */
export interface Search {
  /** Whether a row matches, for rows that are examined one by one. */
  matches: Sql;
  /** The same condition in the form that an index of text answers; null if none does. */
  byIndex: Sql | null;
  /** Whether a row has all words of the text. The index examines about as many rows. */
  mayMatch: Sql;
  /** The ids of all rows that may match, if no index of the table alone finds them. Some may occur twice. */
  found?: Sql;
  /** Whether everything in `found` matches, so that a page needs only the newest of it. */
  isExact?: boolean;
  /** Whether a row matches, worked out for this row alone. For many rows, `matches` is quicker. */
  matchesAlone?: Sql;
  /**
   * For a statement that looks at the same names more than once: the `with` queries that `found` and `matchesBySets`
   * read.
   */
  sets?: Sql;
  matchesBySets?: Sql;
  /** For several rows: through the sets if these are small, or else for each row alone. */
  matchesAtOnce?: Sql;
}

/**
 * Rows that have the text in any part and any letter case; a text of one or two characters, at the beginning of a word.
 * An é may be one character, or an e with an accent; both are found. So are phone numbers, however they are punctuated.
 */
export const searchFor = (alias: string, text: string): Search => searchIn(`${alias}.search_text`, text);

/** The same for an expression: text in lower case that begins with a space. */
export const searchIn = (column: string, text: string): Search =>
  searchOf(column, isBeginning.test(text) ? ` ${text}` : text);

/** Rows in which a word begins with the text. */
export const searchForBeginning = (alias: string, text: string): Search =>
  searchOf(`${alias}.search_text`, ` ${text}`);

/**
 * On every Postgres, the index of trigrams knows the letters and digits of ASCII only: with the C locale, nothing else
 * counts as a letter. It needs three of them, two at the end of a word, or one at its beginning.
 */
const hasTrigram = /[a-z0-9]{3}|[a-z0-9]{2}[ -/:-@[-`{-~]|[ -/:-@[-`{-~][a-z0-9]/i;
const isBeginning = /^[a-z0-9]{1,2}$/i;
const isPhoneNumber = /^[\d\s+()./-]*$/;
const leastDigits = 4;

/** Characters that nearly every text has. The index of all other characters is defined with exactly this text. */
const usual = 'abcdefghijklmnopqrstuvwxyz0123456789 @.+-';
const isUnusual = (text: string): boolean =>
  [...text.toLowerCase()].some((character) => !usual.includes(character));

function searchOf(expression: string, text: string): Search {
  const column = raw(expression);
  const digits = text.replace(/\D/g, '');
  const texts = isPhoneNumber.test(text) && digits.length >= leastDigits ? [text, digits] : [text];
  const inIndex = hasTrigram.test(text) ? isLike : isUnusual(text) ? hasCharacters : null;
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return {
    matches: anyOf(texts.map((each) => contains(column, each))),
    mayMatch: all((words.length === 0 ? [text] : words).map((word) => contains(column, word))),
    byIndex: inIndex && anyOf(texts.map((each) => inIndex(column, each))),
  };
}

/**
 * Whether a text in lower case contains another, in any letter case. No index answers this, but it takes half as long
 * as `like`, which advances one character at a time.
 */
export const contains = (column: Sql, text: string): Sql =>
  anyOf(formsOf(text).map((form) => sql`position(${inLowerCase(form)} in ${column}) > 0`));

/** The same, for the index of trigrams. */
const isLike = (column: Sql, text: string): Sql =>
  anyOf(
    formsOf(text).map((form) => sql`${column} like ${inLowerCase(`%${form.replace(/[\\%_]/g, '\\$&')}%`)}`),
  );

/** The same, for the index of characters. */
const hasCharacters = (column: Sql, text: string): Sql =>
  anyOf(
    formsOf(text).map((form) => {
      const characters = sql`(select string_to_array(${unusualIn(sql`lower(${form})`)}, null))`;
      return sql`(${unusualIn(column)} <> '' and string_to_array(${unusualIn(column)}, null) @> ${characters}
        and ${contains(column, form)})`;
    }),
  );

const unusualIn = (column: Sql): Sql => sql`translate(${column}, ${raw(`'${usual}'`)}, '')`;

const formsOf = (text: string): string[] => [...new Set([text.normalize('NFC'), text.normalize('NFD')])];

/** As a select of its own, it is computed once instead of for every row. */
const inLowerCase = (text: string): Sql => sql`(select lower(${text}))`;

const anyOf = (conditions: Sql[]): Sql =>
  conditions.length === 1 ? join(conditions, '') : sql`(${join(conditions, ' or ')})`;
