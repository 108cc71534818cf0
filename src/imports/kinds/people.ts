import { reference } from '../cells/field.ts';
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
  'Tenant Email',
  'Resident Email',
];

/** Columns that name a tenant in files about something else. */
export const personFields = [
  reference('first_name', text, firstNameHeaders),
  reference('last_name', text, lastNameHeaders),
  reference('email', text, emailHeaders),
];

/** Reads `Okafor, Ada` and `Ada Okafor`; null if there is only one word. */
export function splitName(name: string): { first_name: string; last_name: string } | null {
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? [];
  if (last !== undefined && first !== undefined) return { first_name: first.trim(), last_name: last.trim() };
  const words = name.trim().split(/\s+/);
  if (words.length < 2) return null;
  return { first_name: words.slice(0, -1).join(' '), last_name: words.at(-1) ?? '' };
}

/** The name as tenants are searched by it. */
export function plainName(name: string): string {
  const parts = splitName(name);
  return parts ? `${parts.first_name} ${parts.last_name}`.replace(/\s+/g, ' ') : name;
}

const cellText = (draft: Draft, field: string): string | null => {
  const value = draft.cells[field];
  return typeof value === 'string' ? value : null;
};

/** The ways in which a row names its tenant, the most reliable first, each with its column. */
function waysToName(draft: Draft, idField: string, nameField: string): { field: string; request: Request }[] {
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
 * Finds one tenant for each row, by the first way that leads to exactly one. An id must lead to a tenant; an e-mail
 * address that is shared or unknown gives way to the name.
 */
export async function resolveTenant(work: Work, drafts: Draft[]): Promise<void> {
  const asking = drafts.map((draft) =>
    waysToName(draft, 'tenant_id', 'tenant').map(({ field, request }) => ({
      field,
      request: inPlain(request),
    })),
  );
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
 * Finds all tenants of each row. Several in a cell are separated by semicolons, line ends, `&` or `and`. The cell that
 * names the most people counts, since one address beside two names belongs to one of the two. If several name as many,
 * the first that leads to all of them counts, beginning with the address.
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
  const several = ways.map(({ field, request }) => ({ field, requests: severalIn(request) }));
  if (ways[0]?.field === 'tenant_ids') return several.slice(0, 1);
  const most = Math.max(...several.map(({ requests }) => requests.length));
  // Somebody may be called Smith & Sons.
  const whole = ways.map(({ field, request }) => ({ field, requests: [inPlain(request)] }));
  return [
    ...several.filter(({ requests }) => requests.length === most),
    ...(most > 1 ? whole.slice(-1) : []),
  ];
}

function severalIn(request: Request): Request[] {
  const separator = request.reads === 'ids' ? /[;|\n,]/ : /[;|\n]|\s&\s|\sand\s/i;
  return request.text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((text) => inPlain({ ...request, text }));
}

const inPlain = (request: Request): Request =>
  request.reads === 'ids' ? request : { ...request, text: plainName(request.text) };

export const oneWordName = (name: string): string =>
  `${quote(name)} needs a first and a last name, such as Ada Okafor or Okafor, Ada.`;
