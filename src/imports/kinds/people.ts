import { emailsIn } from '../cells/contacts.ts';
import { reference } from '../cells/field.ts';
import { foreign } from '../cells/foreign.ts';
import { type NameOrder, type PersonName, splitPeople } from '../cells/names.ts';
import { quote, text } from '../cells/readers.ts';
import type { Draft, Work } from '../kind.ts';
import type { Found, Request } from '../references.ts';

export const nameHeaders = [
  'Tenant Name',
  'Tenant Names',
  'Tenants',
  'Tenant',
  'Resident Name',
  'Resident',
  'Residents',
  'Full Name',
  'Renter',
  'Lessee',
  'Occupant',
  'Name',
  ...(foreign.tenants ?? []),
];
export const firstNameHeaders = [
  'First',
  'Given Name',
  'Forename',
  'Tenant First Name',
  'Resident First Name',
];
export const lastNameHeaders = ['Last', 'Surname', 'Family Name', 'Tenant Last Name', 'Resident Last Name'];
export const emailHeaders = [
  'E-mail',
  'Email Address',
  'E-mail Address',
  'Mail',
  'Primary Email',
  'Emails',
  'Tenant Email',
  'Resident Email',
];

/** Columns that name a tenant in files about something else. */
export const personFields = [
  reference('first_name', text, firstNameHeaders),
  reference('last_name', text, lastNameHeaders),
  reference('email', text, emailHeaders),
];

/** The name by which tenants are searched. */
const fullName = ({ first_name, last_name }: PersonName): string => `${first_name} ${last_name}`;

/** The name in the order in which tenants are searched, if it is one person's. */
function plainName(name: string, order: NameOrder): string {
  const found = splitPeople(name, order);
  const [one, ...others] = 'people' in found ? found.people : [];
  return one && others.length === 0 ? fullName(one) : name;
}

const cellText = (draft: Draft, field: string): string | null => {
  const value = draft.cells[field];
  return typeof value === 'string' ? value : null;
};

/** A column in which a row names tenants. */
interface Way {
  field: string;
  request: Request;
}

/** The ways in which a row names its tenant, most reliable first, each with its column. */
function waysToName(draft: Draft, idField: string, nameField: string): Way[] {
  const id = cellText(draft, idField);
  const email = cellText(draft, 'email');
  const [first, last] = [cellText(draft, 'first_name'), cellText(draft, 'last_name')];
  const name = cellText(draft, nameField) ?? (first && last ? `${first} ${last}` : null);
  return [
    ...(id === null ? [] : [{ field: idField, request: { text: id, reads: 'ids' as const } }]),
    ...(email === null ? [] : [{ field: 'email', request: { text: email, reads: 'names' as const } }]),
    ...(name === null
      ? []
      : [
          {
            field: first && last ? 'last_name' : nameField,
            request: { text: name, reads: 'names' as const },
          },
        ]),
  ];
}

/**
 * Finds one tenant for each row, by the first way that leads to exactly one. An id must lead to a tenant. If an e-mail
 * address is shared or unknown, the name counts instead.
 */
export async function resolveTenant(work: Work, drafts: Draft[]): Promise<void> {
  const asking = drafts.map((draft) => {
    const ways = waysToName(draft, 'tenant_id', 'tenant');
    // If several people are named as payers, the first one paid.
    const first = ways.map((way) => ({ ...way, request: severalIn(draft, way.request)[0] ?? way.request }));
    return [...first, ...ways.slice(-1).flatMap(asOne)];
  });
  const found = await work.references.tenants(asking.flat().map(({ request }) => request));
  let at = 0;
  drafts.forEach((draft, index) => {
    const ways = asking[index] ?? [];
    const results = ways.map((way) => ({ ...way, result: found[at++] as Found }));
    const byId = results[0]?.field === 'tenant_id' ? results[0] : undefined;
    const good = byId ?? results.find(({ result }) => 'id' in result) ?? results[0];
    if (good === undefined) draft.problems.push({ field: 'tenant', reason: 'Must not be empty.' });
    else if ('id' in good.result) draft.values.tenant_id = good.result.id;
    else draft.problems.push({ field: good.field, reason: good.result.reason });
  });
}

/**
 * Finds all tenants of each row. `splitPeople` separates the people in a cell. The cell that names the most people
 * counts, because one address beside two names belongs to one of the two. If several cells name as many, the first one
 * that leads to all of them counts, beginning with the addresses.
 */
export async function resolveTenants(work: Work, drafts: Draft[]): Promise<void> {
  const asking = drafts.map((draft) => ({ draft, ways: waysToNameAll(draft) }));
  const found = await work.references.tenants(
    asking.flatMap(({ ways }) => ways.flatMap(({ requests }) => requests)),
  );
  let at = 0;
  for (const { draft, ways } of asking) {
    const results = ways.map(({ field, requests }) => ({
      field,
      people: requests.map(() => found[at++] as Found),
    }));
    const good = results.find(({ people }) => people.every((one) => 'id' in one)) ?? results[0];
    const missing = good?.people.find((one) => 'reason' in one);
    if (!good) draft.problems.push({ field: 'tenants', reason: 'Must not be empty.' });
    else if (missing && 'reason' in missing)
      draft.problems.push({ field: good.field, reason: missing.reason });
    else draft.values.tenant_ids = good.people.map((one) => ('id' in one ? one.id : ''));
  }
}

function waysToNameAll(draft: Draft): { field: string; requests: Request[] }[] {
  const ways = waysToName(draft, 'tenant_ids', 'tenants');
  const several = ways.map(({ field, request }) => ({ field, requests: severalIn(draft, request) }));
  if (ways[0]?.field === 'tenant_ids') return several.slice(0, 1);
  const most = Math.max(...several.map(({ requests }) => requests.length));
  const whole = ways
    .slice(-1)
    .flatMap(asOne)
    .map(({ field, request }) => ({ field, requests: [request] }));
  return [...several.filter(({ requests }) => requests.length === most), ...(most > 1 ? whole : [])];
}

/** The text as one person's name: somebody may be called Smith & Sons, or García López, María José. */
function asOne({ field, request }: Way): Way[] {
  if (request.reads === 'ids') return [];
  const swapped = request.text.replace(/^([^,]+),\s*([^,]+)$/, '$2 $1');
  return [...new Set([request.text, swapped])].map((text) => ({ field, request: { ...request, text } }));
}

function severalIn({ nameOrder = null }: Draft, request: Request): Request[] {
  const texts =
    request.reads === 'ids' ? partsOf(request.text, /[;|\n,]/) : peopleIn(request.text, nameOrder);
  return texts.map((text) => ({ ...request, text }));
}

/** The full names or e-mail addresses in a text. Names of one word are left to the lookup. */
function peopleIn(text: string, order: NameOrder): string[] {
  if (text.includes('@')) return emailsIn(text);
  const found = splitPeople(text, order);
  if ('people' in found) return found.people.map(fullName);
  return partsOf(text, /[;|\n]|\s&\s|\sand\s/i).map((part) => plainName(part, order));
}

const partsOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const oneWordName = (name: string): string =>
  `${quote(name)} needs a first and a last name, such as Ada Okafor or Okafor, Ada.`;
