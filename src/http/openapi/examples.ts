import { isExpansion } from '../../expand/expand.schema.ts';
import type { JsonSchema } from './schemas.ts';

/**
 * The values of the document's examples, for schemas without an example of their own. They tell one small story, of Ada
 * Okafor in unit 2B of Maple Court. They are listed by field, or by record and field if records differ.
 */
const story: Record<string, unknown> = {
  amount_cents: 125000,
  address: '12 Elm Street',
  address_line2: null,
  area_sqft: 840,
  as_of: '2026-11-15',
  assigned_to: 'Joe the plumber',
  bathrooms: 1.5,
  bedrooms: 2,
  category: 'plumbing',
  city: 'Springfield',
  completed_at: null,
  cost: '85.00',
  cost_cents: 8500,
  count: 1,
  currency: 'USD',
  cursor: 'AZqLLE1ef2CBkqO0xdbn-Mx4c0S9T1vK',
  deposit: '1250.00',
  deposit_cents: 125000,
  description: 'It has dripped since Monday.',
  disabled_reason: null,
  due_day: 1,
  due_on: '2026-11-20',
  email: 'ada@example.com',
  end_date: '2026-12-31',
  ended_on: null,
  external_id: 'crm-1042',
  ends_by: '2026-12-31',
  event: 'tenant.created',
  failure_count: 0,
  from: '2026-11-01',
  last_error_at: null,
  last_success_at: '2026-11-15T09:30:02.418Z',
  lease_status: 'active',
  limit: 100,
  market_rent: '1250.00',
  market_rent_cents: 125000,
  memo: 'November rent',
  method: 'bank_transfer',
  name: 'Maple Court',
  notes: null,
  notice_given_on: null,
  number: 42,
  occupied_unit_count: 11,
  offline: false,
  paid_on: '2026-11-01',
  period: '2026-11',
  phone: '+1 217 555 0142',
  postal_code: '62701',
  priority: 'high',
  q: 'Maple',
  reference: 'TRX-20931',
  rent_cents: 125000,
  resolution: null,
  scheduled_for: '2026-11-16T08:00:00.000Z',
  secret: `whsec_${'5f2c8e1d9b7a4063'.repeat(4)}`,
  source: 'api',
  start_date: '2026-01-01',
  state: 'IL',
  to: '2026-11-30',
  type: 'multi_family',
  unit_count: 12,
  year_built: 1925,
  voided_on: null,
  void_reason: null,
  late_fee_for: null,
  recurring_charge_id: null,
  open_cents: 125000,
  'Charge.due_on': '2026-12-01',
  'Charge.external_id': null,
  'Charge.memo': null,
  'Charge.period': '2026-12',
  'Charge.source': 'schedule',
  'Charge.status': 'upcoming',
  'ChargeCreate.kind': 'utility',
  'ChargeCreate.memo': 'Water, October',
  'ChargeCreate.period': null,
  'Credit.amount': '50.00',
  'Credit.charge_id': null,
  'Credit.external_id': null,
  'Credit.memo': 'Two days without heating',
  'CreditCreate.charge_id': null,
  'CreditCreate.memo': 'Two days without heating',
  'DeliveryAttempt.error': null,
  'DeliveryAttempt.outcome': 'success',
  'DeliveryAttempt.duration_ms': 112,
  'DeliveryAttempt.response': { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ok' },
  'DeliveryAttempt.request': {
    headers: { 'content-type': 'application/json', 'x-service-event': 'tenant.created' },
    body: '{"id":"evt_019a8b2c4d5e7f608192a3b4c5d6e7f8","event":"tenant.created",…}',
  },
  'Delivery.finished_at': '2026-11-15T09:30:02.418Z',
  'Delivery.last_error': null,
  'Delivery.last_response_status': 200,
  'Delivery.next_attempt_at': null,
  'Delivery.status': 'succeeded',
  'Import.rows_done': 0,
  'ImportWithReport.columns': [{ header: 'Mo. Rent', field: 'rent' }],
  'ImportWithReport.ignored_columns': ['Parking'],
  'ImportWithReport.errors': [{ line: 7, column: 'Lease Exp', reason: '"soon" is not a date.' }],
  'ImportWithReport.notes': ['Leases without a first day start on 2026-11-01.'],
  'Lease.status': 'active',
  'LeaseCreate.notice_given_on': null,
  'Payment.status': 'paid',
  'Payment.charge_id': null,
  'Payment.reversed_on': null,
  'PaymentCreate.lease_id': null,
  'PaymentCreate.charge_id': null,
  'PaymentCreate.reversed_on': null,
  'PaymentCreate.fee_cents': null,
  'PaymentPatch.lease_id': null,
  'PaymentPatch.charge_id': null,
  'PaymentPatch.status': 'returned',
  'PaymentPatch.reversed_on': '2026-11-05',
  'PropertyCreate.units': [
    { name: '1A', bedrooms: 1, market_rent_cents: 98000 },
    { name: '1B', bedrooms: 2, bathrooms: 1.5, market_rent_cents: 125000 },
  ],
  'Tenant.lease': {
    id: 'lease_019a8b2c4d5e7f608192a3b4c5d6e7f8',
    status: 'active',
    start_date: '2026-01-01',
    end_date: '2026-12-31',
    rent_cents: 125000,
    current_rent_cents: 125000,
    currency: 'USD',
  },
  'Tenant.unit': { id: 'unit_019a8b2c4d5e7f608192a3b4c5d6e7f8', name: '2B' },
  'TenantCreate.lease': {
    unit_id: 'unit_019a8b2c4d5e7f608192a3b4c5d6e7f8',
    start_date: '2027-01-01',
    end_date: '2027-12-31',
    rent_cents: 125000,
  },
  'Unit.status': 'occupied',
  'Webhook.events': ['tenant.created', 'payment.created'],
  'Webhook.description': 'Tells the bookkeeping',
  'MaintenanceRequestPatch.status': 'in_progress',
};

const sameStory: Record<string, string> = {
  ChargePut: 'ChargeCreate',
  CreditPut: 'CreditCreate',
  DeliveryWithAttempts: 'Delivery',
  ImportWithReport: 'Import',
  LeasePut: 'LeaseCreate',
  PaymentPut: 'PaymentCreate',
  StoredWebhook: 'Webhook',
  WebhookCreate: 'Webhook',
  WebhookPatch: 'Webhook',
  WebhookWithSecret: 'Webhook',
};

/** A value that fits the schema: its own example, the story's, or the plainest there is. */
export function exampleOf(
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
  record = '',
  field = '',
): unknown {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return exampleOf(definitions[name] ?? {}, definitions, name);
  }
  for (const name of [`${record}.${field}`, `${sameStory[record]}.${field}`])
    if (name in story) return story[name];
  if (field in story && schema.format === 'date-time') return story[field];
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (field in story && fits(story[field], schema)) return story[field];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first) return exampleOf(first, definitions, record, field);
  return plainest(schema, definitions, record, field);
}

const fits = (value: unknown, { type, enum: values }: JsonSchema): boolean =>
  values === undefined ? value !== null || type !== 'string' : values.includes(value);

function plainest(
  schema: JsonSchema,
  definitions: Record<string, JsonSchema>,
  record: string,
  field: string,
): unknown {
  const type = [schema.type].flat()[0];
  if (type === 'object') {
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([, { description }]) => !isExpansion(description))
        .map(([name, inner]) => [name, exampleOf(inner, definitions, record, name)]),
    );
  }
  if (type === 'array') return [exampleOf(schema.items ?? {}, definitions, record, field)];
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1);
  if (type === 'null') return null;
  if (schema.format === 'date-time') return '2026-11-15T09:30:00.000Z';
  return schema.format === 'date' ? '2026-11-15' : 'text';
}
