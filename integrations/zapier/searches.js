import generated from './generated.json' with { type: 'json' };
import { list } from './server.js';

/** What is found by one field alone must be equal in it; phone numbers may be punctuated differently. */
const fields = {
  external_id: { label: 'External ID', isSame: (kept, wanted) => kept === wanted },
  email: { label: 'Email', isSame: (kept, wanted) => kept.toLowerCase() === wanted.toLowerCase() },
  phone: { label: 'Phone', isSame: (kept, wanted) => digitsOf(kept) === digitsOf(wanted) },
};

const digitsOf = (text) => text.replace(/\D/g, '');

export const searches = {
  find_tenant: search('find_tenant', 'tenant', {
    description: 'Finds a tenant by name, email, phone number or external ID.',
    label: 'Name, Email, Phone or External ID',
    helpText: 'Or a part of it. Of several tenants, full matches come first, then the newest.',
    by: ['email', 'phone', 'external_id'],
    namesOf: ({ first_name, last_name, email, phone, external_id }) => [
      `${first_name} ${last_name}`,
      email,
      phone,
      external_id,
    ],
  }),
  find_property: search('find_property', 'property', {
    description: 'Finds a property by name, address, city or external ID.',
    label: 'Name, Address, City or External ID',
    helpText: 'Or a part of it. Of several properties, full matches come first, then the newest.',
    by: ['external_id'],
    namesOf: ({ name, address, city, external_id }) => [name, address, city, external_id],
  }),
};

/** "Find, or create what is missing": the same key as the search. */
export const searchOrCreates = {
  find_tenant: findOrCreate('find_tenant', 'create_tenant', 'Tenant'),
  find_property: findOrCreate('find_property', 'create_property', 'Property'),
};

function search(key, record, { description, label, helpText, by, namesOf }) {
  const { noun, path, fields: outputFields, sample } = generated.records[record];
  return {
    key,
    noun,
    display: { label: `Find ${noun}`, description },
    operation: {
      inputFields: [{ key: 'q', label, type: 'string', required: true, helpText }, searchBy(by)],
      async perform(z, bundle) {
        const { records } = await list(z, bundle, path, { q: bundle.inputData.q, limit: 100 });
        const wanted = bundle.inputData.q.trim();
        const one = fields[bundle.inputData.by];
        if (one) return records.filter((each) => one.isSame(each[bundle.inputData.by] ?? '', wanted));
        const isExact = (each) => namesOf(each).some((name) => name?.toLowerCase() === wanted.toLowerCase());
        return [...records.filter(isExact), ...records.filter((each) => !isExact(each))];
      },
      outputFields,
      sample,
    },
  };
}

/** With one of these the search is for exactly that, so that "Find or Create" never takes somebody else. */
function searchBy(names) {
  return {
    key: 'by',
    label: 'Search By',
    type: 'string',
    required: false,
    choices: names.map((name) => ({ value: name, sample: name, label: fields[name].label })),
    helpText: 'Finds only what is exactly the same in this field. Leave it empty to search in all of them.',
  };
}

function findOrCreate(key, create, noun) {
  return {
    key,
    search: key,
    create,
    display: {
      label: `Find or Create ${noun}`,
      description: `Finds a ${noun.toLowerCase()}, or creates one if none is found.`,
    },
  };
}
