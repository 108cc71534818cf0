import { parseId } from '../../ids.ts';
import { reference } from '../cells/field.ts';
import { readPropertyName } from '../cells/property-names.ts';
import { text } from '../cells/readers.ts';
import type { Draft, Work } from '../kind.ts';
import type { Found, Request } from '../references.ts';

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

/** Headers of columns with the names of units. */
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

type Noun = 'property' | 'unit';

/** One of the columns in which a row names a record. */
interface Way {
  field: string;
  request: Request;
}

/**
 * The ways in which a row names its property or unit, most reliable first. If another system's id is not known here,
 * the name counts instead. That does not apply to ids of ours.
 */
function waysToName(draft: Draft, noun: Noun): Way[] {
  const [id, name] = [draft.cells[`${noun}_id`], draft.cells[noun]];
  const byId: Way[] =
    typeof id === 'string' ? [{ field: `${noun}_id`, request: { text: id, reads: 'ids' } }] : [];
  if (typeof name !== 'string' || (typeof id === 'string' && parseId(prefixes[noun], id) !== null))
    return byId;
  const text = name.replace(/\s+/g, ' ');
  // `Maple Court - 12 Maple St Portland, OR 97201` is called Maple Court if a rent roll made it.
  const texts = new Set(noun === 'property' ? [text, readPropertyName(text).name] : [text]);
  return [
    ...byId,
    ...[...texts].map((one) => ({ field: noun, request: { text: one, reads: 'names' as const } })),
  ];
}
const prefixes = { property: 'prop', unit: 'unit' } as const;

/** What each row's ways lead to: the first that leads to one record, or else the reason why the first one fails. */
async function findWays(
  asking: { draft: Draft; ways: Way[] }[],
  find: (requests: Request[]) => Promise<Found[]>,
): Promise<{ draft: Draft; field: string; found: Found }[]> {
  const found = await find(asking.flatMap(({ ways }) => ways.map(({ request }) => request)));
  let at = 0;
  return asking.flatMap(({ draft, ways }) => {
    const results = ways.map(({ field }) => ({ draft, field, found: found[at++] as Found }));
    return results.find((one) => 'id' in one.found) ?? results.slice(0, 1);
  });
}

/** Sets property_id if the row names a property. */
export async function resolveProperties(work: Work, drafts: Draft[], required: boolean): Promise<void> {
  const asking = drafts.map((draft) => ({ draft, ways: waysToName(draft, 'property') }));
  for (const { draft, ways } of asking)
    if (ways.length === 0 && required)
      draft.problems.push({ field: 'property', reason: 'Must not be empty.' });
  const all = await findWays(asking, (requests) => work.references.properties(requests));
  for (const { draft, field, found } of all)
    if ('id' in found) draft.values.property_id = found.id;
    else draft.problems.push({ field, reason: found.reason });
}

/** Sets unit_id in rows that name a unit. It looks in the row's property if the row names one. */
export async function resolveNamedUnits(work: Work, drafts: Draft[]): Promise<void> {
  const propertyOf = ({ values }: Draft) => (values.property_id as string | undefined) ?? null;
  const asking = drafts
    .filter(({ problems }) => problems.length === 0)
    .map((draft) => ({
      draft,
      ways: waysToName(draft, 'unit').map(({ field, request }) => ({
        field,
        request: { ...request, property_id: propertyOf(draft) },
      })),
    }));
  for (const { draft, field, found } of await findWays(asking, (requests) =>
    work.references.units(requests),
  )) {
    const property = propertyOf(draft);
    if ('reason' in found) draft.problems.push({ field, reason: found.reason });
    else if (property !== null && found.property_id !== property)
      draft.problems.push({ field, reason: 'This unit is in another property.' });
    else draft.values.unit_id = found.id;
  }
}

/** Sets unit_id. It looks in the row's property if the row names one. */
export async function resolveUnits(work: Work, drafts: Draft[]): Promise<void> {
  await resolveProperties(work, drafts, false);
  for (const draft of drafts)
    if (waysToName(draft, 'unit').length === 0)
      draft.problems.push({ field: 'unit', reason: 'Must not be empty.' });
  await resolveNamedUnits(work, drafts);
  // A lease gets the property of its unit.
  for (const draft of drafts) delete draft.values.property_id;
}
