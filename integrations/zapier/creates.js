import { createHash } from 'node:crypto';
import generated from './generated.json' with { type: 'json' };
import { bodyOf, fieldsOf } from './input.js';
import { accountCurrency, leaseCurrency, minorUnits, newLeaseCurrency, paymentCurrency } from './money.js';
import { send } from './server.js';

const onlyOnce = {
  key: 'deduplication_id',
  label: 'Deduplication ID',
  type: 'string',
  required: false,
  helpText:
    'Map something that identifies what happened, such as the ID of a charge. If this step runs again with the same value within 24 hours, nothing is recorded twice.',
};

const recordToUpdate = {
  tenant: { dynamic: 'tenant_list.id.choice', search: 'find_tenant.id' },
  maintenance_request: { dynamic: 'maintenance_request_list.id.choice' },
};

export const creates = {
  create_property: create('create_property', 'property', {
    label: 'Create Property',
    description: 'Creates a property, with its units if you like.',
  }),
  create_unit: create(
    'create_unit',
    'unit',
    { label: 'Create Unit', description: 'Creates a unit of a property.' },
    accountCurrency,
  ),
  create_tenant: create('create_tenant', 'tenant', {
    label: 'Create Tenant',
    description: 'Creates a tenant.',
  }),
  update_tenant: update('update_tenant', 'tenant', {
    label: 'Update Tenant',
    description: 'Changes the name, contacts or notes of a tenant. Fields left empty stay as they are.',
  }),
  create_lease: create(
    'create_lease',
    'lease',
    {
      label: 'Create Lease',
      description: 'Creates a lease of a unit, which charges its rent by itself from then on.',
    },
    newLeaseCurrency,
  ),
  record_payment: create(
    'record_payment',
    'payment',
    {
      label: 'Record Payment',
      description:
        'Records a rent payment of a tenant; the lease, unit and property follow from the tenant unless you name the lease.',
    },
    paymentCurrency,
  ),
  create_charge: create(
    'create_charge',
    'charge',
    {
      label: 'Create Charge',
      description: 'Creates a charge of a lease beside its rent, such as a fee, a utility or a repair.',
    },
    leaseCurrency,
  ),
  create_credit: create(
    'create_credit',
    'credit',
    { label: 'Create Credit', description: 'Creates a credit: an amount that a lease no longer owes.' },
    leaseCurrency,
  ),
  create_recurring_charge: create(
    'create_recurring_charge',
    'recurring_charge',
    {
      label: 'Create Recurring Charge',
      description:
        'Creates what a lease is charged again and again beside its rent, such as parking or a pet.',
    },
    leaseCurrency,
  ),
  create_maintenance_request: create(
    'create_maintenance_request',
    'maintenance_request',
    { label: 'Create Maintenance Request', description: 'Creates a maintenance request for a property.' },
    accountCurrency,
  ),
  update_maintenance_request: update('update_maintenance_request', 'maintenance_request', {
    label: 'Update Maintenance Request',
    description:
      'Changes the status or other fields of a maintenance request. Fields left empty stay as they are.',
  }),
};

function create(key, record, display, currencyOf) {
  const inputs = generated.inputs[key];
  return action(key, record, display, {
    inputFields: [...fieldsOf(inputs), onlyOnce],
    async perform(z, bundle) {
      let currency;
      const body = await bodyOf(inputs, bundle.inputData, async (amount, label) => {
        currency = await currencyOf(z, bundle);
        return minorUnits(z, amount, currency, label);
      });
      // The amount was converted in this currency, so it must be recorded in it.
      if (currency && inputs.some(({ name }) => name === 'currency')) body.currency = currency;
      const headers = idempotency(key, bundle.inputData[onlyOnce.key]);
      return send(z, bundle, 'POST', generated.records[record].path, body, headers);
    },
  });
}

function update(key, record, display) {
  const inputs = generated.inputs[key];
  return action(key, record, display, {
    inputFields: [
      {
        key: 'id',
        label: generated.records[record].noun,
        type: 'string',
        required: true,
        ...recordToUpdate[record],
      },
      ...fieldsOf(inputs),
    ],
    async perform(z, bundle) {
      const path = `${generated.records[record].path}/${encodeURIComponent(bundle.inputData.id)}`;
      const body = await bodyOf(inputs, bundle.inputData, async (amount, label) => {
        const { currency } = await send(z, bundle, 'GET', path);
        return minorUnits(z, amount, currency, label);
      });
      return send(z, bundle, 'PATCH', path, body);
    },
  });
}

function action(key, record, display, operation) {
  const { noun, fields, sample } = generated.records[record];
  return { key, noun, display, operation: { ...operation, outputFields: fields, sample } };
}

/**
 * The platform gives us nothing that is the same when a step is repeated and different in the next run, and equal input
 * may be meant twice (two payments of the same amount). So only the person can say what counts as the same.
 */
function idempotency(key, value) {
  if (value === undefined || value === null || value === '') return {};
  // Hashed, because the header takes 255 visible ASCII characters and a mapped value can be anything.
  const digest = createHash('sha256').update(String(value)).digest('hex');
  return { 'idempotency-key': `zapier-${key}-${digest}` };
}
