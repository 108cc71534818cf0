import generated from './generated.json' with { type: 'json' };
import { list } from './server.js';

/** Hidden triggers: the choices that the editor offers when an action asks for a record. */
export const dropdowns = {
  property_list: dropdown('property_list', 'property', async () => ({
    say: ({ name, city }) => (city ? `${name}, ${city}` : name),
  })),
  tenant_list: dropdown('tenant_list', 'tenant', async () => ({
    say: ({ first_name, last_name, property, unit }) =>
      `${first_name} ${last_name}${unit ? ` (${property.name}, ${unit.name})` : ''}`,
  })),
  lease_list: dropdown('lease_list', 'lease', leasesToOffer),
  charge_list: dropdown('charge_list', 'charge', chargesToOffer),
  unit_list: dropdown('unit_list', 'unit', unitsToOffer),
  maintenance_request_list: dropdown('maintenance_request_list', 'maintenance_request', async () => ({
    say: ({ number, title, status }) => `#${number} ${title} (${status.replaceAll('_', ' ')})`,
  })),
};

/** `prepare` returns the filter of the list and the text of an entry. */
function dropdown(key, record, prepare) {
  const { noun, path } = generated.records[record];
  return {
    key,
    noun,
    display: {
      hidden: true,
      label: `List of ${noun}s`,
      description: `Triggers when a list of ${noun}s is needed.`,
    },
    operation: {
      type: 'polling',
      canPaginate: true,
      async perform(z, bundle) {
        const { filter = {}, say } = await prepare(z, bundle);
        const records = await pageOf(z, bundle, path, filter);
        return records.map((each) => ({ id: each.id, choice: say(each) }));
      },
    },
  };
}

/** The units of the chosen property; without one, all units with the names of their properties. */
async function unitsToOffer(z, bundle) {
  const { property_id } = bundle.inputData;
  if (property_id) return { filter: { property_id }, say: ({ name }) => name };
  const names = await namesOf(z, bundle, 'property');
  return { say: (unit) => [names.get(unit.property_id), unit.name].filter(Boolean).join(', ') };
}

/** Leases by their units; if a tenant is chosen, only theirs. */
async function leasesToOffer(z, bundle) {
  const { tenant_id } = bundle.inputData;
  const units = await namesOf(z, bundle, 'unit');
  return {
    filter: tenant_id ? { tenant_id } : {},
    say: ({ unit_id, start_date, status }) =>
      `${units.get(unit_id) ?? 'Unit'}, from ${start_date} (${status})`,
  };
}

/** What is open, of the chosen lease or tenant if there is one. */
async function chargesToOffer(_z, bundle) {
  const { lease_id, tenant_id } = bundle.inputData;
  const of = lease_id ? { lease_id } : tenant_id ? { tenant_id } : {};
  return {
    filter: { ...of, status: 'upcoming,open,partial' },
    say: ({ kind, due_on, open, currency }) =>
      `${kind.replaceAll('_', ' ')}, due ${due_on}, ${open} ${currency} open`,
  };
}

async function namesOf(z, bundle, record) {
  const { records } = await list(z, bundle, generated.records[record].path, { limit: 1000 });
  return new Map(records.map(({ id, name }) => [id, name]));
}

/** The platform counts pages, and keeps our cursor between them. */
async function pageOf(z, bundle, path, filter) {
  const page = bundle.meta?.page ?? 0;
  const cursor = page > 0 ? await z.cursor.get() : undefined;
  if (page > 0 && !cursor) return [];
  const { records, response } = await list(z, bundle, path, {
    limit: 100,
    ...filter,
    ...(cursor && { cursor }),
  });
  const next = cursorIn(response.getHeader('link'));
  if (next || page > 0) await z.cursor.set(next);
  return records;
}

function cursorIn(link) {
  const [, address] = /<([^>]+)>;\s*rel="?next"?/.exec(link ?? '') ?? [];
  return (address && URL.parse(address, 'https://any')?.searchParams.get('cursor')) || '';
}
