/*
 * People as files name them: one or several in a cell, first name first or last name first.
 */

export interface PersonName {
  first_name: string;
  last_name: string;
}

/** Which name comes first in a column: `Ada Okafor` or `Okafor, Ada`. Null if its cells do not show it, or differ. */
export type NameOrder = 'first' | 'last' | null;

/** The people that a cell names, or the part of it that is no full name. */
export type People = { people: PersonName[] } | { unclear: string };

/** More than any lease has. */
const mostPeople = 50;
/** Longer than the names of that many; the time to read a cell grows faster than its length. */
const longestNames = 1000;

/**
 * `Dev Patel, Mina Patel` are two, `Patel, Dev` is one, `Patel, Dev & Mina` are two of one family. Where a comma can mean
 * both, the other cells of the column tell which name comes first in it.
 */
export function splitPeople(text: string, order: NameOrder = null): People {
  if (text.length > longestNames) return { unclear: text };
  const clean = text
    .replace(/[([{][^)\]}]*[)\]}]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (isCompany(clean)) return companyName(clean);
  const parts: Part[] = [];
  for (const group of text.split(/[;|\n\r]|\s\/\s/)) parts.push(...partsOf(plain(group), order));
  return nameParts(parts.slice(0, mostPeople), clean);
}

/** A person, or names that lack the last one. */
interface Part {
  first: string;
  last: string | null;
}

/** What companies are called in the countries whose headers we know. */
const company =
  /(^|[\s,])(l\.?l\.?c|l\.?l\.?p|inc|incorporated|corp|corporation|ltd|limited|plc|gmbh|ug|ag|kg|ohg|gbr|e\.?v|s\.?a\.?r\.?l|s\.?a\.?s|s\.?a|s\.?l|s\.?l\.?u|trust|estate|foundation|company|& co|stiftung|sociedad)\.?$/i;

const isCompany = (text: string): boolean => company.test(text);

function companyName(text: string): People {
  const words = text.replaceAll(',', '').split(' ');
  if (words.length < 2) return { unclear: text };
  return { people: [{ first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }] };
}

/** Without what is in brackets, such as `(Primary)`, and without titles and numbers in front. */
const plain = (text: string): string =>
  text
    .replace(/[([{][^)\]}]*[)\]}]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(\d+[.)]\s+)/, '')
    .replace(
      /^((mr|mrs|ms|miss|mx|dr|prof|herr|frau|mme|mlle|sra|srta)\.?(\s*(&|and|und|et|y)\s+)?\s+)+/i,
      '',
    )
    .replace(/[\s,]+$/, '');

/** `&`, `+` and the words for it. Spanish surnames have a `y` of their own, before a single word. */
const conjunction = /\s*[&+]\s*|\s+(?:and|und|et)\s+|\s+(?:y|e)\s+(?=\S+\s+\S)/i;

/** The names of one group, which has neither semicolons nor line ends. */
function partsOf(group: string, order: NameOrder): Part[] {
  const pieces = group
    .split(conjunction)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const [head = ''] = pieces;
  const family = commaParts(head);
  // `Patel, Dev & Mina`: the family's name stands once, before the comma.
  if (pieces.length > 1 && family.length === 2 && !pieces.slice(1).some((piece) => piece.includes(',')))
    if (isLastFirst(family, order) || wordsIn(family[1]) === 1) return familyParts(family, pieces.slice(1));
  return pieces.flatMap((piece) => listParts(commaParts(piece), order));
}

function familyParts([last = '', first = '']: string[], others: string[]): Part[] {
  return [{ first, last }, ...others.map(nameIn)];
}

/** Names between commas. `Jr.` and the like belong to the name before them. */
function commaParts(piece: string): string[] {
  const parts: string[] = [];
  for (const part of piece.split(',').map((one) => one.trim())) {
    if (part === '') continue;
    if (/^(jr|sr|ii|iii|iv|md|m\.d|phd|ph\.d|esq)\.?$/i.test(part) && parts.length > 0)
      parts[parts.length - 1] += ` ${part}`;
    else parts.push(plain(part));
  }
  return parts.filter((part) => part !== '');
}

const wordsIn = (text = ''): number => text.split(' ').filter((word) => word !== '').length;

const lastWord = (text: string): string => text.slice(text.lastIndexOf(' ') + 1).toLowerCase();

/** `van der Berg, Jan Willem` is one person, however many words the name has. */
const particle =
  /^(van|von|de|del|della|di|da|dos|du|des|el|al|bin|ibn|la|le|st|saint|san|ter|ten|zu|zum|mac|mc|o)\b/i;

/** Whether two names with a comma between them are one person's. */
function isLastFirst([before = '', behind = '']: string[], order: NameOrder): boolean {
  if (wordsIn(before) === 1) return true;
  // `Dev Patel, Mina Patel` are a couple, wherever it stands.
  if (lastWord(before) === lastWord(behind)) return false;
  // A full name does not end in an initial.
  if (order === 'last' || particle.test(before) || /\s[a-z]\.?$/i.test(behind)) return true;
  return wordsIn(behind) === 1 && order !== 'first';
}

function listParts(parts: string[], order: NameOrder): Part[] {
  const [first = '', second = ''] = parts;
  if (parts.length === 1) return [nameIn(first)];
  if (parts.length === 2 && isLastFirst(parts, order)) return [{ first: second, last: first }];
  const full = parts.map(nameIn);
  // `Patel, Dev, Shah, Mina`
  const isPairs =
    parts.length % 2 === 0 &&
    (order === 'last' || parts.every((part, at) => at % 2 === 1 || wordsIn(part) === 1));
  if (isPairs && parts.length > 2)
    return full.flatMap((_, at) =>
      at % 2 === 1 ? [{ first: parts[at] ?? '', last: parts[at - 1] ?? '' }] : [],
    );
  // `Smith, John, Jane`
  if (parts.length > 2 && parts.every((part) => wordsIn(part) === 1))
    return parts.slice(1).map((name) => ({ first: name, last: first }));
  return full;
}

/** `Ada Okafor`. Of one word it is not known yet whether it is a first name. */
function nameIn(text: string): Part {
  const words = text.split(' ');
  const suffix = words.length > 2 && /^(jr|sr|ii|iii|iv|esq)\.?$/i.test(words.at(-1) ?? '') ? 2 : 1;
  // `Ana de la Cruz`: the particles belong to the last name.
  let from = words.length - suffix;
  while (from > 1 && lastNameParticle.test(words[from - 1] ?? '')) from -= 1;
  if (words.length - suffix < 1) return { first: text, last: null };
  return { first: words.slice(0, from).join(' '), last: words.slice(from).join(' ') };
}

const lastNameParticle = /^(van|von|der|den|de|del|della|di|da|dos|du|des|la|le|bin|ibn|ter|ten|zu|zum)$/i;

/** Fills in last names that stand once for several: `Dev & Mina Patel`, `Dev Patel & Mina`. */
function nameParts(parts: Part[], whole: string): People {
  if (parts.length === 0) return { unclear: whole };
  const people: PersonName[] = [];
  for (const [at, { first, last }] of parts.entries()) {
    const family = last ?? nextLast(parts, at) ?? people.at(-1)?.last_name ?? null;
    if (family === null) return { unclear: first };
    people.push({ first_name: first, last_name: family });
  }
  const seen = new Set<string>();
  return {
    people: people.filter(({ first_name, last_name }) => {
      const key = `${first_name} ${last_name}`.toLowerCase();
      return !seen.has(key) && seen.add(key);
    }),
  };
}

/** A first name alone takes the last name that follows it: `Dev & Mina Patel`. */
const nextLast = (parts: Part[], at: number): string | null =>
  at === 0 ? (parts.find(({ last }) => last !== null)?.last ?? null) : null;

/** What a cell shows about the order of names in its column. */
export function nameOrderIn(cell: string): NameOrder {
  if (cell.length > longestNames) return null;
  if (cell.includes('@') || isCompany(cell)) return null;
  const pieces = cell.split(/[;|\n]/).flatMap((group) => plain(group).split(conjunction));
  const orders = new Set(pieces.map((piece) => orderOf(commaParts(piece))));
  const [only = null] = orders.size === 1 ? orders : [];
  return only;
}

function orderOf(parts: string[]): NameOrder {
  if (parts.length === 1) return wordsIn(parts[0]) > 1 ? 'first' : null;
  return parts.length === 2 && parts.some((part) => wordsIn(part) === 1) ? 'last' : null;
}
