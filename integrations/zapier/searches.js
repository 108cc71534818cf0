import generated from './generated.json' with { type: 'json' };
import { list } from './server.js';

/** The API's exact filters: it compares emails without regard to case, and phone numbers by their digits. */
const fields = {
  external_id: { label: 'External ID' },
  email: { label: 'Email' },
  phone: { label: 'Phone', canBe: (wanted) => /\d/.test(wanted) },
};

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
  find_unit: search('find_unit', 'unit', {
    description: 'Finds a unit by name or external ID.',
    label: 'Name or External ID',
    helpText:
      'A part of the name, or with Search By the whole external ID. Of several units, the newest comes first.',
    by: ['external_id'],
    namesOf: ({ name }) => [name],
  }),
  find_lease: search('find_lease', 'lease', {
    description: 'Finds a lease by tenant, unit, property or external ID.',
    label: 'Tenant, Unit, Property or External ID',
    helpText: 'Words in their names. Of several leases, the newest comes first.',
    by: ['external_id'],
    namesOf: ({ external_id }) => [external_id],
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
        const wanted = bundle.inputData.q.trim();
        const { by } = bundle.inputData;
        if (fields[by]?.canBe?.(wanted) === false) return [];
        const filter = fields[by] ? { [by]: wanted } : { q: wanted };
        const { records } = await list(z, bundle, path, { ...filter, limit: 100 });
        if (fields[by]) return records;
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
