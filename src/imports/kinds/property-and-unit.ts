import { reference } from '../cells/field.ts';
import { text } from '../cells/readers.ts';
import type { Draft, Work } from '../kind.ts';
import type { Request } from '../references.ts';

/** Columns that name a property or a unit, by id or by name. */
export const propertyFields = [
  reference('property_id', text, ['Property ID', 'Property Code', 'Property External ID', 'Building ID']),
  reference('property', text, [
    'Property Name',
    'Building Name',
    'Building',
    'Community',
    'Property Address',
  ]),
];

/** What a column with the name of a unit is called. */
export const unitHeadings = [
  'Unit Name',
  'Unit Number',
  'Unit No',
  'Apt',
  'Apt Number',
  'Apt No',
  'Apartment',
  'Apartment Number',
  'Suite',
  'Flat',
  'Room',
  'Door',
];

export const unitFields = [
  reference('unit_id', text, ['Unit ID', 'Unit Code', 'Unit External ID']),
  reference('unit', text, unitHeadings),
];

/** The id if the row has one, else the name. */
export function requestIn(draft: Draft, idField: string, nameField: string): Request | null {
  const [id, name] = [draft.cells[idField], draft.cells[nameField]];
  if (typeof id === 'string') return { text: id, reads: 'ids' };
  return typeof name === 'string' ? { text: name.replace(/\s+/g, ' '), reads: 'names' } : null;
}

/** The column in which the row names its property or unit. */
const fieldNaming = (draft: Draft, noun: 'property' | 'unit'): string =>
  typeof draft.cells[`${noun}_id`] === 'string' ? `${noun}_id` : noun;

/** Sets property_id if the row names a property. */
export async function resolveProperties(work: Work, drafts: Draft[], required: boolean): Promise<void> {
  const asking = drafts.flatMap((draft) => {
    const request = requestIn(draft, 'property_id', 'property');
    if (request === null && required)
      draft.problems.push({ field: 'property', reason: 'Must not be empty.' });
    return request === null ? [] : [{ draft, request }];
  });
  const found = await work.references.properties(asking.map(({ request }) => request));
  asking.forEach(({ draft }, at) => {
    const result = found[at];
    if (result && 'id' in result) draft.values.property_id = result.id;
    else
      draft.problems.push({
        field: fieldNaming(draft, 'property'),
        reason: result?.reason ?? 'Cannot be found.',
      });
  });
}

/** Sets unit_id, looking in the row's property if it names one. */
export async function resolveUnits(work: Work, drafts: Draft[]): Promise<void> {
  await resolveProperties(work, drafts, false);
  const asking = drafts.flatMap((draft) => {
    const request = requestIn(draft, 'unit_id', 'unit');
    if (request === null) draft.problems.push({ field: 'unit', reason: 'Must not be empty.' });
    if (request === null || draft.problems.length > 0) return [];
    return [
      {
        draft,
        request: { ...request, property_id: (draft.values.property_id as string | undefined) ?? null },
      },
    ];
  });
  const found = await work.references.units(asking.map(({ request }) => request));
  asking.forEach(({ draft, request }, at) => {
    const result = found[at];
    const elsewhere =
      result && 'id' in result && request.property_id !== null && result.property_id !== request.property_id;
    if (elsewhere)
      draft.problems.push({ field: fieldNaming(draft, 'unit'), reason: 'This unit is in another property.' });
    else if (result && 'id' in result) draft.values.unit_id = result.id;
    else
      draft.problems.push({
        field: fieldNaming(draft, 'unit'),
        reason: result?.reason ?? 'Cannot be found.',
      });
  });
  // A lease takes the property of its unit.
  for (const draft of drafts) delete draft.values.property_id;
}
