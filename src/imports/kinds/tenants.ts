import { tenants as table } from '../../tenants/tenants.columns.ts';
import { NewTenant, TenantPatch } from '../../tenants/tenants.schema.ts';
import { tenantWriter } from '../../tenants/tenants.ts';
import { emailsIn, phonesIn, shareEmails } from '../cells/contacts.ts';
import { field, reference } from '../cells/field.ts';
import { splitPeople } from '../cells/names.ts';
import { naming, text } from '../cells/readers.ts';
import { findTenantsLike, type TenantLike } from '../imports.store.ts';
import type { Draft, Kind } from '../kind.ts';
import { emailHeaders, firstNameHeaders, lastNameHeaders, nameHeaders, oneWordName } from './people.ts';
import { lower, matchOne, samePhone } from './same.ts';

export const tenants: Kind = {
  name: 'tenants',
  noun: 'tenant',
  prefix: 'ten',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Tenant ID',
      'Resident ID',
      'Tenant Code',
      'Tenant Number',
      'Tenant No',
      'Resident No',
      'Customer ID',
      'Code',
      'Ref',
      'Reference',
    ]),
    field('first_name', text, { also: firstNameHeaders, empty: 'kept' }),
    field('last_name', text, { also: lastNameHeaders, empty: 'kept' }),
    naming(reference('name', text, nameHeaders)),
    field('email', text, { also: emailHeaders }),
    field('phone', text, {
      also: [
        'Phone Number',
        'Mobile',
        'Mobile Phone',
        'Cell',
        'Cell Phone',
        'Telephone',
        'Tel',
        'Home Phone',
        'Primary Phone',
        'Phone 1',
        'Phone Numbers',
        'Contact Number',
        'Tenant Phone',
      ],
    }),
    field('notes', text, { also: ['Note', 'Comments', 'Comment', 'Remarks', 'Memo'] }),
  ],
  needs: [
    ['first_name', 'name'],
    ['last_name', 'name'],
  ],
  create: NewTenant,
  patch: TenantPatch,
  table,
  writer: tenantWriter,
  money: {},
  spelt: ['first_name', 'last_name'],
  hasCurrency: false,
  hasExternalId: true,
  adopts: false,
  repeatable: false,
  fixed: {},
  ids: {},
  conflictField: 'last_name',
  several: peopleOf,
  async resolve(_work, drafts) {
    for (const draft of drafts) takeNames(draft);
  },
  nature: ({ values }) =>
    [values.email, values.first_name, values.last_name, values.email ? '' : values.phone]
      .map(lower)
      .join(' '),
  /** A person is the same if the e-mail address and the first name are or, without an address, if the full name is. */
  async findSame({ tx, accountId, tenantsOfUnit }, drafts) {
    const found = await findTenantsLike(
      tx,
      accountId,
      drafts.map(({ values }) => values as unknown as TenantLike),
    );
    drafts.forEach((draft, at) => {
      matchOne(
        draft,
        samePerson(draft, found.get(at) ?? [], tenantsOfUnit?.get(draft.row)),
        'last_name',
        'Several tenants have this name; say which one by the e-mail address or external_id.',
      );
    });
  },
};

/** A row may name several people, and have several addresses and numbers. */
function peopleOf(draft: Draft): Draft[] {
  const { name, email, phone } = draft.cells;
  const isNamed = typeof draft.values.first_name === 'string' && typeof draft.values.last_name === 'string';
  const found = typeof name === 'string' && !isNamed ? splitPeople(name, draft.nameOrder) : { unclear: '' };
  const people = 'people' in found ? found.people : [];
  const emails = typeof email === 'string' ? emailsIn(email) : [];
  const phones = typeof phone === 'string' ? phonesIn(phone) : [];
  const [own = emails[0] ?? null, ...shared] = shareEmails(people, emails);
  const first = {
    ...draft,
    values: {
      ...draft.values,
      ...people[0],
      ...(emails.length > 0 ? { email: own } : {}),
      ...(phones.length > 0 ? { phone: phones[0] } : {}),
    },
  };
  const others = people.slice(1).map((person, at) => ({
    ...draft,
    // The row's id belongs to the first person.
    keys: { id: null, external: null },
    problems: [],
    before: { ...draft.before },
    values: { ...person, ...(emails.length > 0 ? { email: shared[at] ?? null } : {}) },
  }));
  return [first, ...others];
}

function takeNames(draft: Draft): void {
  const { first_name, last_name } = draft.values;
  if (typeof first_name === 'string' && typeof last_name === 'string') return;
  const { name } = draft.cells;
  if (typeof name === 'string') {
    draft.problems.push({ field: 'name', reason: oneWordName(name) });
    return;
  }
  for (const field of ['first_name', 'last_name'])
    if (typeof draft.values[field] !== 'string')
      draft.problems.push({ field: field in draft.cells ? field : 'name', reason: 'Must not be empty.' });
}

/**
 * The tenants that a row may be about. In a rent roll the unit counts too: `ofUnit` with the same name is the same
 * person with a new address, but a neighbour with the same name and another phone is another person.
 */
function samePerson(
  { values }: Draft,
  alike: (TenantLike & { id: string })[],
  ofUnit: string | null | undefined,
): string[] {
  const same = (field: keyof TenantLike) => (one: TenantLike) => lower(one[field]) === lower(values[field]);
  const ids = (people: { id: string }[]) => people.map(({ id }) => id);
  const byName = alike.filter(same('first_name')).filter(same('last_name'));
  const hasEmail = typeof values.email === 'string';
  const byEmail = hasEmail ? alike.filter(same('email')).filter(same('first_name')) : [];
  if (byEmail.length > 1) return ids(byEmail.filter(same('last_name')));
  if (byEmail.length === 1) return ids(byEmail);
  if (typeof ofUnit === 'string') return [ofUnit];
  // The tenant may have no address here yet.
  const open = hasEmail ? byName.filter(({ email }) => email === null) : byName;
  const isOther = ({ phone }: TenantLike) =>
    phone !== null && typeof values.phone === 'string' && !samePhone(phone, values.phone);
  const likely = open.filter((one) => !isOther(one));
  if (open.length > 1 || ofUnit === null) return ids(likely);
  return ids(open);
}
