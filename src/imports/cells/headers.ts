import { mapInSlices } from '../../system/time-slices.ts';
import type { FileKind } from '../kind.ts';
import { currencyOf } from './amounts.ts';
import type { Field } from './field.ts';
import { plainWord } from './words.ts';

/** What headers mean: the name of a field, or null to ignore the column. */
export type Mapping = Record<string, string | null>;

/** A longer text is not a header. */
export const longestHeader = 200;

/** The number of titles and blank lines that a report may have above its header. */
const rowsBeforeHeader = 20;

/** The spelling by which a mapping finds a header. plainWord would not do: it leaves nothing of Имя or Фамилия. */
export const sameHeader = (header: string): string => header.normalize().trim().toLowerCase();

/** The field of each header, or null. A mapping takes precedence over recognition. */
export function recognise(kind: FileKind, headers: string[], mapping: Mapping): (Field | null)[] {
  const fields: (Field | null)[] = headers.map(() => null);
  const open = new Set(headers.keys());
  const said = new Map(Object.entries(mapping).map(([header, name]) => [sameHeader(header), name]));
  const take = (at: number, found: Field) => {
    fields[at] = found;
    open.delete(at);
  };

  for (const at of [...open]) {
    const name = said.get(sameHeader(headers[at] ?? ''));
    if (name === undefined) continue;
    const found = name === null ? null : fieldNamed(kind, name);
    if (found && !fields.includes(found)) take(at, found);
    else open.delete(at);
  }
  const shapes = headers.map((header) => shapeOf(kind, header));
  // A field's own name always means that field. Other spellings go to the fields in their order.
  for (const rankOf of [ownName, bestSpelling, looseSpelling]) {
    for (const one of kind.fields) {
      if (fields.includes(one)) continue;
      const rankFor = rankOf(one);
      let best: { at: number; rank: number } | null = null;
      for (const at of open) {
        const rank = rankFor(shapes[at] as Shape);
        if (rank !== null && (best === null || rank < best.rank)) best = { at, rank };
      }
      if (best) take(best.at, one);
    }
  }
  return fields;
}

/** The field that a name stands for, in any spelling of a header. */
export function fieldNamed(kind: FileKind, name: string): Field | null {
  const shape = shapeOf(kind, name.slice(0, longestHeader));
  const named = (rankOf: Rank) => kind.fields.find((one) => rankOf(one)(shape) !== null);
  return named(ownName) ?? named(bestSpelling) ?? named(looseSpelling) ?? null;
}

/** A header in plain letters, and the forms by which it may be recognised, likelier ones first. */
interface Shape {
  plain: string;
  forms: string[];
  loose: string[];
}

/** How likely a header means this field: lower is likelier, and null is impossible. */
type Rank = (one: Field) => (shape: Shape) => number | null;

const ownName: Rank = ({ name }) => {
  const own = plainWord(name);
  return ({ plain }) => (plain === own ? 0 : null);
};

const bestSpelling: Rank = (one) => {
  const { spellings } = spellingsOf(one);
  return ({ forms }) => rankIn(spellings, forms);
};

/** Abbreviations, plurals and extra words: `Mo. Rent`, `Lease Exp`, `Tenant Mobile Phone Numbers`. */
const looseSpelling: Rank = (one) => {
  const { loose } = spellingsOf(one);
  return (shape) => rankIn(loose, shape.loose);
};

function rankIn(spellings: Map<string, number>, forms: string[]): number | null {
  for (const form of forms) {
    const rank = spellings.get(form);
    if (rank !== undefined) return rank;
  }
  return null;
}

type Spellings = Record<'spellings' | 'loose', Map<string, number>>;
const known = new WeakMap<Field, Spellings>();

function spellingsOf(one: Field): Spellings {
  const made = known.get(one);
  if (made) return made;
  const all = [one.name, ...one.also];
  // In reverse, so that the likelier of two equal ones counts.
  const ranks = (form: (text: string) => string) =>
    new Map(all.map((text, rank) => [form(text), rank] as const).toReversed());
  const result = { spellings: ranks(plainWord), loose: ranks((text) => wordsOf(text).join(' ')) };
  known.set(one, result);
  return result;
}

/**
 * `Lease #` means Lease No, `Rent (USD)` also means Rent, and in a file of leases `Lease Deposit` also means Deposit.
 */
function shapeOf(kind: FileKind, header: string): Shape {
  const plain = plainWord(header);
  const bareHeader = header.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ');
  const bare = plainWord(bareHeader);
  const forms = [
    plainWord(header.replaceAll('#', ' no ')),
    plain,
    bare,
    bare.startsWith(kind.noun) ? bare.slice(kind.noun.length) : bare,
  ].filter((form) => form !== '');
  return { plain, forms, loose: looseForms(wordsOf(bareHeader.replaceAll('#', ' number '))) };
}

const abbreviations: Record<string, string> = {
  mo: 'monthly',
  mth: 'monthly',
  mthly: 'monthly',
  mon: 'monthly',
  month: 'monthly',
  addr: 'address',
  dep: 'deposit',
  sec: 'security',
  exp: 'expiration',
  expiry: 'expiration',
  amt: 'amount',
  no: 'number',
  num: 'number',
  nbr: 'number',
  nr: 'number',
  n: 'number',
  dt: 'date',
  mkt: 'market',
  ph: 'phone',
  tel: 'telephone',
  bal: 'balance',
  prop: 'property',
  bldg: 'building',
  tnt: 'tenant',
  curr: 'current',
  cur: 'current',
  beg: 'begin',
  strt: 'start',
  apartment: 'apt',
  mail: 'email',
  outstd: 'outstanding',
  fwd: 'forward',
};

/** The words of a header in plain letters, singular and written out. */
export const wordsOf = (header: string): string[] =>
  header
    .replace(/e-?mail/gi, 'email')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s/_.,:;&-]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word))
    .map((word) => abbreviations[word] ?? word);

/** Words around many headers that say whose the value is, or of what kind. */
const before =
  /^(tenant|resident|renter|lessee|occupant|primary|main|lease|contract|agreement|rental|current|scheduled)$/;
const behind = /^(date|amount|number|1)$/;

function looseForms(words: string[]): string[] {
  const forms = [words];
  const starts = words.slice(0, -1).findIndex((word) => !before.test(word));
  const from = starts === -1 ? Math.max(0, words.length - 1) : starts;
  const to = words.length > 1 && behind.test(words.at(-1) ?? '') ? words.length - 1 : words.length;
  forms.push(words.slice(0, to), words.slice(from), words.slice(from, to));
  // What remains must still mean something: a lease's name is not its tenant's.
  return [...new Set(forms.map((form) => form.join(' ')))].filter(
    (form) => !/^(|name|id|type|code|date|number|amount|note)$/.test(form),
  );
}

/** The currency in a header such as `Rent (EUR)` or `Amount $`. */
export function currencyInHeader(header: string): string | null {
  const [, inside] = /[([]([^)\]]+)[)\]]/.exec(header) ?? [];
  const token = inside ?? /[$€£¥₹]$/.exec(header.trim())?.[0] ?? '';
  return currencyOf(token.trim()) ?? null;
}

/** Where the header is, and its texts. It may take two rows. */
interface Header {
  at: number;
  cells: string[];
  /** How many fields were recognised in it. */
  count: number;
}

/** Rows wider than this are not tried as half of a header. */
const widestStacked = 300;

/**
 * Finds the header: the row in which the most cells are recognised, or else the first row. Two rows are one header if
 * more is recognised in them together than in each: `Lease` over `Start` and `End`, or `Market` over `Rent`.
 */
export async function findHeader(kind: FileKind, rows: string[][], mapping: Mapping): Promise<Header> {
  const tried = rows.slice(0, rowsBeforeHeader);
  const counts = await mapInSlices(tried, (cells) => countIn(kind, cells, mapping));
  const most = Math.max(0, ...counts);
  const at = Math.max(0, counts.indexOf(most));
  const single = { at, cells: tried[at] ?? [], count: most };
  const stacked = await mapInSlices(
    [at - 1, at].filter((upper) => upper >= 0 && upper + 1 < tried.length),
    (upper) => stackedAt(kind, tried, upper, mapping),
  );
  const [best = single] = [single, ...stacked.flat()].toSorted((a, b) => b.count - a.count);
  return best;
}

const countIn = (kind: FileKind, cells: string[], mapping: Mapping): number =>
  recognise(kind, cells, mapping).filter((one) => one !== null).length;

/**
 * The row and the one below it as one header: with the upper cells as they are, and with each of them over all columns
 * that it may span.
 */
function stackedAt(kind: FileKind, rows: string[][], upper: number, mapping: Mapping): Header[] {
  const [above = [], below = []] = [rows[upper], rows[upper + 1]];
  if (below.length > widestStacked || above.filter((cell) => cell.trim() !== '').length < 2) return [];
  // A row of data is not half of a header.
  if (below.some((cell) => /\d{3}|@/.test(cell))) return [];
  let last = '';
  const spanning = below.map((_, at) => {
    last = above[at]?.trim() || last;
    return last;
  });
  return [above, spanning].map((tops) => {
    const cells = below.map((cell, at) => `${tops[at] ?? ''} ${cell}`.trim());
    return { at: upper + 1, cells, count: countIn(kind, cells, mapping) };
  });
}
