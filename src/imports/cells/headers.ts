import { mapInTurns } from '../../system/turns.ts';
import type { Kind } from '../kind.ts';
import { currencyOf } from './amounts.ts';
import type { Field } from './field.ts';
import { plainWord } from './words.ts';

/** Says what headers are: the name of a field, or null to ignore the column. */
export type Mapping = Record<string, string | null>;

/** A longer text is not a header. */
export const longestHeader = 200;

/** The number of titles and blank lines that a report may have above its header. */
const rowsBeforeHeader = 20;

/** A header as a mapping names it. plainWord would not do: it leaves nothing of Имя or Фамилия. */
export const sameHeader = (header: string): string => header.normalize().trim().toLowerCase();

/** The field of each header, or null. A mapping takes precedence over recognition. */
export function recognise(kind: Kind, headers: string[], mapping: Mapping): (Field | null)[] {
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
  for (const rankOf of [ownName, bestSpelling]) {
    for (const one of kind.fields) {
      if (fields.includes(one)) continue;
      const rank = rankOf(one);
      const [best] = [...open]
        .map((at) => ({ at, rank: rank(shapes[at] as Shape) }))
        .filter((candidate) => candidate.rank !== null)
        .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
      if (best) take(best.at, one);
    }
  }
  return fields;
}

/** The field that a name stands for, in any spelling of a header. */
export function fieldNamed(kind: Kind, name: string): Field | null {
  const shape = shapeOf(kind, name.slice(0, longestHeader));
  const named = (rankOf: Rank) => kind.fields.find((one) => rankOf(one)(shape) !== null);
  return named(ownName) ?? named(bestSpelling) ?? null;
}

/** A header in plain letters, and the forms in which it may be known. */
interface Shape {
  plain: string;
  forms: string[];
}

/** How likely a header is this field: lower is likelier, null is impossible. */
type Rank = (one: Field) => (shape: Shape) => number | null;

const ownName: Rank = ({ name }) => {
  const own = plainWord(name);
  return ({ plain }) => (plain === own ? 0 : null);
};

const bestSpelling: Rank = ({ name, also }) => {
  const spellings = [name, ...also].map(plainWord);
  return ({ forms }) => {
    for (const form of forms) {
      const rank = spellings.indexOf(form);
      if (rank !== -1) return rank;
    }
    return null;
  };
};

/** `Lease #` means Lease No, `Rent (USD)` also Rent, and in a file of leases `Lease Deposit` also Deposit. */
function shapeOf(kind: Kind, header: string): Shape {
  const plain = plainWord(header);
  const bare = plainWord(header.replace(/\([^)]*\)|\[[^\]]*\]/g, ' '));
  const forms = [
    plainWord(header.replaceAll('#', ' no ')),
    plain,
    bare,
    bare.startsWith(kind.noun) ? bare.slice(kind.noun.length) : bare,
  ].filter((form) => form !== '');
  return { plain, forms };
}

/** The currency in a header such as `Rent (EUR)` or `Amount $`. */
export function currencyInHeader(header: string): string | null {
  const [, inside] = /[([]([^)\]]+)[)\]]/.exec(header) ?? [];
  const token = inside ?? /[$€£¥₹]$/.exec(header.trim())?.[0] ?? '';
  return currencyOf(token.trim()) ?? null;
}

/** Finds the header: the first row in which several cells are recognised, otherwise the first row. */
export async function findHeader(kind: Kind, rows: string[][], mapping: Mapping): Promise<number> {
  const counts = await mapInTurns(
    rows.slice(0, rowsBeforeHeader),
    (cells) => recognise(kind, cells, mapping).filter((one) => one !== null).length,
  );
  const several = counts.findIndex((count) => count >= 2);
  return several !== -1 ? several : Math.max(0, counts.indexOf(1));
}
