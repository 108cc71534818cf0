import { type Field, reference } from '../cells/field.ts';
import { text } from '../cells/readers.ts';
import { noRecord } from '../imports.store.ts';
import type { Draft } from '../kind.ts';
import type { Found, Request } from '../references.ts';

/**
 * The lease that the row is about. Some exports describe it in words there, which say no more than the neighbouring
 * columns.
 */
export const leaseIdField: Field = {
  ...reference('lease_id', text, ['Lease ID', 'Lease Number', 'Lease No', 'Lease', 'Contract Number']),
  rulesOut: (cell) => /\p{L}{2}\s+\p{L}{2}|\p{L}\s*[|:]/u.test(cell),
};

/**
 * Finds the records that a column refers to, for the rows in which it is not empty. Money that names a charge that was
 * voided names none.
 */
export async function resolveNamed(
  field: 'lease_id' | 'charge_id',
  drafts: Draft[],
  find: (requests: Request[]) => Promise<Found[]>,
): Promise<void> {
  const naming = drafts.flatMap((draft) => {
    const text = draft.cells[field];
    return typeof text === 'string' ? [{ draft, text }] : [];
  });
  const found = await find(naming.map(({ text }) => ({ text, reads: 'ids' })));
  naming.forEach(({ draft }, at) => {
    const result = found[at] as Found;
    if (!('id' in result)) draft.problems.push({ field, reason: result.reason });
    else if (result.id !== noRecord) draft.values[field] = result.id;
  });
}
