/* People as files name them: one or several in a cell, with the first or the last name first. */

export interface PersonName {
  first_name: string;
  last_name: string;
}

/** Which name comes first in a column: `Ada Okafor` or `Okafor, Ada`. Null if its cells do not show it, or differ. */
export type NameOrder = 'first' | 'last' | null;

/** The people that a cell names, or the part of it that is not a full name. */
type People = { people: PersonName[] } | { unclear: string };

/** More than any lease has. */
const mostPeople = 50;
/** Longer than the names of that many. The time to read a cell grows faster than its length. */
const longestNames = 1000;
/** Matches the innermost brackets. A search that ends at the next bracket takes no longer than the text is long. */
const brackets = /[([{][^()[\]{}\n\r]*[)\]}]/g;

/**
 * `Dev Patel, Mina Patel` are two people, `Patel, Dev` is one, and `Patel, Dev & Mina` are two of one family. If a
 * comma can mean both, the other cells of the column tell which name comes first in it.
 */
export function splitPeople(text: string, order: NameOrder = null): People {
  if (text.length > longestNames) return { unclear: text };
  const clean = text.replace(brackets, ' ').replace(/\s+/g, ' ').trim();
  if (isCompany(clean)) return companyName(clean);
  // `Lee/Park, Sam/Kim`: the last names are a list of their own, or one double name.
  const [, lasts = '', firsts = ''] = /^([^\s,]+\/[^\s,]+)\s?, ?([^,]+)$/.exec(clean) ?? [];
  if (namesIn(lasts).length > 1) return { people: joinNames(firsts, lasts) };
  const parts = groupsOf(text).flatMap((group) => partsOf(plain(group), order));
  return nameParts(parts.slice(0, mostPeople), clean);
}

/** The people in a cell of first names beside one of last names: `Di and Ed` beside `Fox`, or beside `Fox and Gil`. */
export function joinNames(first_name: string, last_name: string): PersonName[] {
  const whole = { first_name, last_name };
  if (first_name.length + last_name.length > longestNames) return [whole];
  const firsts = namesIn(first_name).slice(0, mostPeople);
  const lasts = namesIn(last_name);
  // `Di, Jr.` is one person.
  if (firsts.length < 2)
    return [first_name.includes(',') ? { first_name: firsts[0] ?? first_name, last_name } : whole];
  if (lasts.length > 1)
    return firsts.map((first, at) => ({
      first_name: first,
      last_name: (lasts.length === firsts.length && lasts[at]) || last_name,
    }));
  const found = splitPeople(`${last_name}, ${firsts.join(' & ')}`, 'last');
  return 'people' in found ? found.people : [whole];
}

/** The names in a list that has only first or only last names. */
const namesIn = (text: string): string[] =>
  groupsOf(text)
    .flatMap((group) => group.split(/[&+]|\s(?:and|und|et|y|e|with)\s/i))
    .flatMap(commaParts);

/**
 * A slash between names. Beside a single letter it is part of an abbreviation, such as `c/o`, `w/`, `n/a` and `a/k/a`.
 */
const slash = /\s\/\s|(?<=\p{L}{2}\.?|\p{L}\.)\s?\/\s?(?=\p{L}{2}|\p{L}\.)/u;

/** The text between semicolons, lines, slashes or the numbers of a list, such as `1) Ana Cole 2) Ben Day`. */
function groupsOf(text: string): string[] {
  const isNumbered = /^\s*[(#]?1[.):]/.test(text);
  const lines = isNumbered
    ? text.replace(/(?:(?:^|\s)(?:and|und|et|y|&))?(?:^|[\s,])[(#]?\d{1,2}[.):]\s*(?=\p{L})/giu, '\n')
    : text;
  return lines
    .replace(brackets, ' ')
    .replace(/\s(?:and\/or|und\/oder|et\/ou|y\/o)\s/gi, ' & ')
    .split(/[;|\n\r]/)
    .flatMap((line) => line.split(slash));
}

/** A person, or names that lack the last one. */
interface Part {
  first: string;
  last: string | null;
}

/** Abbreviations for companies in the countries whose headers we know. */
const company =
  /(^|[\s,])(l\.?l\.?c|l\.?l\.?p|inc|incorporated|corp|corporation|ltd|limited|plc|gmbh|ug|ag|kg|ohg|gbr|e\.?v|s\.?a\.?r\.?l|s\.?a\.?s|s\.?a|s\.?l|s\.?l\.?u|trust|estate|foundation|company|& co|(?:&|and) sons|stiftung|sociedad)\.?$/i;
/** In French, and in names of German shops, the kind of company comes first. */
const companyFirst = /^(sarl|s\.a\.r\.l\.|sas|sasu|sci|eurl|snc|selarl|soci[eé]t[eé]|firma|fa\.)\s/i;

const isCompany = (text: string): boolean => company.test(text) || companyFirst.test(text);

function companyName(text: string): People {
  const words = text.replaceAll(',', '').split(' ');
  if (words.length < 2) return { unclear: text };
  return { people: [{ first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' }] };
}

/** Removes what is in brackets, such as `(Primary)`, and leading titles and numbers. */
const plain = (text: string): string =>
  text
    .replace(brackets, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(\d+[.)]\s+)/, '')
    .replace(titles, '')
    .replace(/[\s,]+$/, '');

/** `M.` is also an initial. It is a title beside another title, and before a full name. */
const titles = new RegExp(
  String.raw`^(?:(?:(?:mr|mrs|ms|miss|mx|dr|prof|herrn?|frau|mm\.|mme|mlle|monsieur|madame|sr|sra|srta|señora?)\.?` +
    String.raw`|m\.(?=\s?(?:&|et) ?(?:mme|mlle|madame)|(?: [\p{L}'’-]{2,}){2}))` +
    String.raw`(?:\s?[&+]\s?|\s(?:and|und|et|y|e)\s|\s|$))+`,
  'iu',
);

/**
 * `&`, `+` and the words for it. Last names contain `y` or `e` too, before a single word: `Ortega y Gasset`. It
 * separates people before a full name (`Ana y Luis Gómez`), in a list of first names, and if each of them has a comma.
 */
const conjunction = new RegExp(
  [
    String.raw`\s*[&+]\s*`,
    String.raw`\s+(?:[aA][nN][dD]|[uU][nN][dD]|[eE][tT]|[wW][iI][tT][hH])\s+`,
    String.raw`\s+[wW]\/(?![oO]\b)\s*`,
    String.raw`\s+[yYe]\s+(?=[^\s,&+]+\s+(?![yYe]\s)[^\s&+])`,
    String.raw`(?<=(?:^|[,&+]\s*|\s[yYe]\s+)[^\s,&+]+)\s+[yYe]\s+(?=[^\s,&+]+\s*(?:[&+]|[yYe]\s))`,
    String.raw`(?<=,\s*[^\s,]+)\s+[yYe]\s+(?=[^\s,]+(?:,|$))`,
  ].join('|'),
);

/** The names of one group, which has neither semicolons nor line ends. */
function partsOf(group: string, order: NameOrder): Part[] {
  const pieces = group
    .split(conjunction)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const [head = ''] = pieces;
  const family = commaParts(head);
  // `Patel, Dev & Mina`: the family's name occurs once, before the comma.
  if (pieces.length > 1 && family.length === 2 && !pieces.slice(1).some((piece) => piece.includes(',')))
    if (isLastFirst(family, order) || wordsIn(family[1]) === 1) return familyParts(family, pieces.slice(1));
  return pieces.flatMap((piece) => listParts(commaParts(piece), order));
}

function familyParts([last = '', first = '']: string[], others: string[]): Part[] {
  return [{ first, last }, ...others.map((other) => nameIn(plain(other)))];
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

/** Whether two names with a comma between them belong to one person. */
function isLastFirst([before = '', behind = '']: string[], order: NameOrder): boolean {
  if (wordsIn(before) === 1) return true;
  // `Dev Patel, Mina Patel` are a couple, in any column.
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

/** Reads `Ada Okafor`. If there is only one word, it may be a first or a last name. */
function nameIn(text: string): Part {
  const capitals = capitalsIn(text);
  if (capitals !== null) return capitals;
  const words = text.split(' ');
  // `Mary B.`: an initial is not a last name.
  if (isInitial(words.at(-1))) return { first: text, last: null };
  const suffix = words.length > 2 && /^(jr|sr|ii|iii|iv|esq)\.?$/i.test(words.at(-1) ?? '') ? 2 : 1;
  // `Ana de la Cruz`: the particles belong to the last name.
  let from = words.length - suffix;
  while (from > 1 && lastNameParticle.test(words[from - 1] ?? '')) from -= 1;
  // `José Ortega y Gasset`
  if (from > 2 && /^[yei]$/.test(words[from - 1] ?? '')) from -= 2;
  if (words.length - suffix < 1) return { first: text, last: null };
  return { first: words.slice(0, from).join(' '), last: words.slice(from).join(' ') };
}

const isInitial = (word = ''): boolean => /^\p{L}\.?$/u.test(word);

/**
 * `MARTIN Paul`, `Ana GARCIA LOPEZ`: if one name is in capitals and the other is not, it is the last name. Two or three
 * leading letters may be initials or a brand, as in `JP Smith` and `KFC Restaurant`, unless they can be pronounced
 * (`LEE Ann`).
 */
function capitalsIn(text: string): Part | null {
  const [, front, first] = /^((?:\p{Lu}[\p{Lu}'’-]+ )+)(\p{Lu}\p{Ll}.*)$/u.exec(text) ?? [];
  if (front !== undefined && first !== undefined && !/\p{Lu}{2}/u.test(first))
    return /\p{Lu}[\p{Lu}'’-]{3}|^[^AEIOUY ][AEIOUY]\p{Lu} /u.test(front)
      ? { first, last: front.trim().replace(/\p{L}+/gu, capitalised) }
      : null;
  const [, name, last] = /^([^,]*\p{Ll}) ((?:\p{Lu}[\p{Lu}'’-]+ )+\p{Lu}[\p{Lu}'’-]{2,})$/u.exec(text) ?? [];
  return name !== undefined && last !== undefined && !/^[IVX]+$/.test(lastWord(last).toUpperCase())
    ? { first: name, last }
    : null;
}

const capitalised = (word: string): string => word.slice(0, 1) + word.slice(1).toLowerCase();

const lastNameParticle = /^(van|von|der|den|de|del|della|di|da|dos|du|des|la|le|bin|ibn|ter|ten|zu|zum)$/i;

/** Fills in a last name that several people share: `Dev & Mina Patel`, `Dev Patel & Mina`. */
function nameParts(found: Part[], whole: string): People {
  if (found.length === 0) return { unclear: whole };
  // Only `Mary B.`: if nobody has a last name, the initial is all that is known of it.
  const parts = found.some(({ last }) => last !== null) ? found : found.map(initialAsLast);
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

function initialAsLast({ first, last }: Part): Part {
  const at = first.lastIndexOf(' ');
  return at < 0 ? { first, last } : { first: first.slice(0, at), last: first.slice(at + 1) };
}

/** A lone first name takes the last name that follows it: `Dev & Mina Patel`. */
const nextLast = (parts: Part[], at: number): string | null =>
  at === 0 ? (parts.find(({ last }) => last !== null)?.last ?? null) : null;

/** What a cell shows about the order of names in its column. */
export function nameOrderIn(cell: string): NameOrder {
  if (cell.length > longestNames) return null;
  if (cell.includes('@') || isCompany(cell)) return null;
  const pieces = groupsOf(cell).flatMap((group) => plain(group).split(conjunction));
  const orders = new Set(pieces.map((piece) => orderOf(commaParts(piece))));
  const [only = null] = orders.size === 1 ? orders : [];
  return only;
}

function orderOf(parts: string[]): NameOrder {
  if (parts.length === 1) return wordsIn(parts[0]) > 1 ? 'first' : null;
  return parts.length === 2 && parts.some((part) => wordsIn(part) === 1) ? 'last' : null;
}
