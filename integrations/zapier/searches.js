import generated from './generated.json' with { type: 'json' };
import { list } from './server.js';

export const searches = {
  find_tenant: search('find_tenant', 'tenant', {
    description: 'Finds a tenant by name, email or phone number.',
    label: 'Name, Email or Phone',
    helpText: 'Or a part of it. Of several tenants, full matches come first, then the newest.',
    namesOf: ({ first_name, last_name, email, phone }) => [`${first_name} ${last_name}`, email, phone],
  }),
  find_property: search('find_property', 'property', {
    description: 'Finds a property by name, address or city.',
    label: 'Name, Address or City',
    helpText: 'Or a part of it. Of several properties, full matches come first, then the newest.',
    namesOf: ({ name, address, city }) => [name, address, city],
  }),
};

/** "Find, or create what is missing": the same key as the search. */
export const searchOrCreates = {
  find_tenant: findOrCreate('find_tenant', 'create_tenant', 'Tenant'),
  find_property: findOrCreate('find_property', 'create_property', 'Property'),
};

function search(key, record, { description, label, helpText, namesOf }) {
  const { noun, path, fields, sample } = generated.records[record];
  return {
    key,
    noun,
    display: { label: `Find ${noun}`, description },
    operation: {
      inputFields: [{ key: 'q', label, type: 'string', required: true, helpText }],
      async perform(z, bundle) {
        const { records } = await list(z, bundle, path, { q: bundle.inputData.q, limit: 100 });
        const wanted = bundle.inputData.q.trim().toLowerCase();
        const isExact = (each) => namesOf(each).some((name) => name?.toLowerCase() === wanted);
        return [...records.filter(isExact), ...records.filter((each) => !isExact(each))];
      },
      outputFields: fields,
      sample,
    },
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
