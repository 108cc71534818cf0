import { field, type Reader, reference } from '../cells/field.ts';
import { quote, text } from '../cells/readers.ts';
import type { Draft } from '../kind.ts';

/* Terms of a lease that consist of more than one value, as exports write them. */

/** Two lists of equal length: days and rents, `2026-06-01;2027-06-01` and `130000;135000`. */
export const rentChangeFields = [
  reference('rent_changes_from', text, []),
  reference('rent_changes_rent_cents', text, []),
];

export function takeRentChanges({ cells, values, problems }: Draft): void {
  const { rent_changes_from: from, rent_changes_rent_cents: rents } = cells;
  if (from === undefined || rents === undefined) return;
  const [days, amounts] = [listOf(from), listOf(rents)];
  if (days.length === amounts.length)
    values.rent_changes = days.map((day, at) => ({ from: day, rent_cents: Number(amounts[at]) }));
  else
    problems.push({
      field: 'rent_changes_from',
      reason: `There are ${days.length} days and ${amounts.length} rents; each day needs a rent.`,
    });
}

const listOf = (cell: unknown): string[] =>
  typeof cell === 'string' ? cell.split(';').map((part) => part.trim()) : [];

/** `inherit`, `none`, or a policy as JSON. */
const lateFees: Reader = (cell) => {
  if (!cell.startsWith('{')) return { value: cell.toLowerCase() };
  try {
    return { value: JSON.parse(cell) };
  } catch {
    return { reason: `${quote(cell)} is not a policy.` };
  }
};

export const lateFeesField = field('late_fees', lateFees, { empty: 'kept' });
