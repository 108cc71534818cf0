import { expect } from 'vitest';
import { raw, sql } from '../../src/db/sql.ts';
import { envelope } from './envelope.ts';
import type { Answer, Client, Service } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Made = any;
export type Fields = Record<string, unknown>;

/** A public address, so that no test waits for DNS. Nothing is ever sent there. */
export const hookUrl = 'https://93.184.215.14/hook';

/** A client with a key, or a person in the dashboard. */
type Writer = Pick<Client, 'post'> & Partial<Client>;

let made = 0;

/** Functions that make valid records. What a test does not care about is filled in. */
export const make = {
  property: (client: Writer, fields: Fields = {}) =>
    create(client, '/properties', { name: 'Maple Court', ...fields }),
  async unit(client: Writer, fields: Fields = {}) {
    const property_id = fields.property_id ?? (await make.property(client)).id;
    return create(client, '/units', { property_id, name: `Unit ${++made}`, ...fields });
  },
  tenant: (client: Writer, fields: Fields = {}) =>
    create(client, '/tenants', { first_name: 'Ada', last_name: 'Okafor', ...fields }),
  async lease(client: Writer, fields: Fields = {}) {
    const unit_id = fields.unit_id ?? (await make.unit(client)).id;
    const tenant_ids = fields.tenant_ids ?? [(await make.tenant(client)).id];
    const start_date = '2026-01-01';
    return create(client, '/leases', { unit_id, tenant_ids, start_date, rent_cents: 125_000, ...fields });
  },
  async payment(client: Writer, fields: Fields = {}) {
    const tenant_id = fields.tenant_id ?? (await make.tenant(client)).id;
    return create(client, '/payments', { tenant_id, amount_cents: 125_000, ...fields });
  },
  async maintenance(client: Writer, fields: Fields = {}) {
    const property_id = fields.property_id ?? (await make.property(client)).id;
    return create(client, '/maintenance', { property_id, title: 'Kitchen tap drips', ...fields });
  },
  webhook: (client: Writer, fields: Fields = {}) =>
    create(client, '/webhooks', { url: hookUrl, events: ['tenant.created'], ...fields }),
};

async function create(client: Writer, path: string, body: Fields): Promise<Made> {
  const answer = await client.post(path, body);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

/** A well-formed id of no record. */
export const unknownId = (prefix: string) => `${prefix}_0190f3a0c0de7abc8def0123456789ab`;

/** Expects that the request was refused because of this field, in the structured form. */
export function expectInvalid(answer: Answer, field: string, message?: RegExp): void {
  expect(answer.status, answer.text).toBe(400);
  expect(answer.body.error.code).toBe(400);
  const { formErrors, fieldErrors } = answer.body.error.message;
  expect(formErrors, answer.text).toEqual([]);
  expect(Object.keys(fieldErrors), answer.text).toContain(field);
  expect(fieldErrors[field].length).toBeGreaterThan(0);
  if (message) expect(fieldErrors[field].join(' ')).toMatch(message);
}

export function expectError(answer: Answer, status: number, message: string | RegExp): void {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.body).toEqual(
    envelope(status, typeof message === 'string' ? message : expect.stringMatching(message)),
  );
}

/** Sends each wrong value for a field and expects a refusal that names it. */
export async function refusesValues(
  send: (fields: Fields) => Promise<Answer>,
  cases: Record<string, unknown[]>,
): Promise<void> {
  for (const [field, values] of Object.entries(cases)) {
    for (const value of values) {
      const answer = await send({ [field]: value });
      expect(answer.status, `${field} = ${JSON.stringify(value)?.slice(0, 80)}: ${answer.text}`).toBe(400);
      expectInvalid(answer, field);
    }
  }
}

/** Sends each value for a field and expects it to come back as it should be stored. */
export async function keepsValues(
  send: (fields: Fields) => Promise<Answer>,
  cases: Record<string, [given: unknown, kept: unknown][]>,
): Promise<void> {
  for (const [field, pairs] of Object.entries(cases)) {
    for (const [given, kept] of pairs) {
      const answer = await send({ [field]: given });
      const label = `${field} = ${JSON.stringify(given)?.slice(0, 80)}: ${answer.text.slice(0, 400)}`;
      expect(answer.status, label).toBeLessThan(300);
      expect(answer.body.data[field], label).toEqual(kept);
    }
  }
}

/** Values that are wrong for any text field, required or not. */
export const wrongTexts = (max: number): unknown[] => [
  5,
  true,
  ['text'],
  { text: 1 },
  'x'.repeat(max + 1),
  'a\0b',
  '\ud800',
];

/** Values that are wrong for any amount of money. */
export const wrongCents = [0, -1, 1.5, '100', 1e308, 1_000_000_000_001, [1], {}, true];
export const wrongDates = [
  '2026-02-30',
  '2026-13-01',
  '15.11.2026',
  '2026-1-1',
  20261115,
  true,
  '1899-12-31',
];

/** The calendar date this many days from today (UTC). */
export function day(offset = 0): string {
  return new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
}

interface RecordedEvent {
  id: string;
  event: string;
  body: string;
}

/** The account's events, oldest first, as they are stored. */
export function eventsOf(service: Service, client: Client): Promise<RecordedEvent[]> {
  return service.database.db.query<RecordedEvent>(
    sql`select id, event, body from events where account_id = ${client.accountId} order by id`,
  );
}

/** The events that a piece of work recorded, names only. */
export async function eventsDuring(
  service: Service,
  client: Client,
  work: () => Promise<unknown>,
): Promise<RecordedEvent[]> {
  const before = (await eventsOf(service, client)).length;
  await work();
  return (await eventsOf(service, client)).slice(before);
}

/** A lease's change may also send events of what shows the lease: its unit and tenants, and what it owes. */
export const eventsOfNoun = (noun: string, events: RecordedEvent[]): RecordedEvent[] =>
  events.filter(({ event }) => event.startsWith(`${noun}.`));

/** Expects the event's frozen body to contain the record with exactly the bytes that GET returns now. */
export async function expectSameBytes(
  client: Client,
  event: RecordedEvent | undefined,
  path: string,
): Promise<void> {
  const { text } = await client.get(path);
  const record = text.slice('{"data":'.length, -1);
  const key = event?.event.split('.')[0];
  expect(event?.body).toContain(`"data":{"${key}":${record}},"actor":{`);
  const envelope = JSON.parse(event?.body ?? '');
  expect(Object.keys(envelope)).toEqual(['id', 'event', 'created_at', 'data', 'actor', 'api_version']);
  expect(envelope.id).toBe(`evt_${event?.id.replaceAll('-', '')}`);
  expect(envelope.event).toBe(event?.event);
  expect(envelope.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
}

/** What waits for delivery in the account, oldest first. */
export function queueOf(
  service: Service,
  client: Client,
): Promise<{ endpoint_id: string; event_id: string; event: string }[]> {
  return service.database.db.query(
    sql`select endpoint_id, event_id, event from delivery_queue where account_id = ${client.accountId} order by event_id`,
  );
}

/** Every row of every table that names the account, as text, to see that nothing changed. */
export async function dumpOf(service: Service, accountId: string): Promise<string> {
  const { db } = service.database;
  const tables = await db.query<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'account_id' order by table_name`);
  const dumps = await Promise.all(
    tables.map(async ({ name }) => {
      // The time at which a key was used is recorded some seconds later.
      const [row] = await db.query<{ rows: string }>(sql`
        select coalesce(jsonb_agg(to_jsonb(t) - 'last_used_at' order by to_jsonb(t)::text), '[]')::text as rows
        from ${raw(name)} t where account_id = ${accountId}`);
      return `${name}: ${row?.rows}`;
    }),
  );
  return dumps.join('\n');
}

/**
 * What every PATCH promises: the whole record, one event for a change, none without one, 400 for an empty body, 404 for
 * an id of no record.
 */
export async function expectPatchRules(
  service: Service,
  client: Client,
  path: string,
  change: Fields,
  event: string | null,
): Promise<void> {
  const [, collection = '', id = ''] = path.split('/');
  const before = (await client.get(path)).body.data;

  const changed = await eventsDuring(service, client, async () => {
    const answer = await client.patch(path, { ...change, of_no_interest: 1 });
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(answer.body.data).toEqual({ ...before, ...change, updated_at: answer.body.data.updated_at });
    expect(answer.body.data.updated_at >= before.updated_at).toBe(true);
    expect((await client.get(path)).text).toBe(answer.text);
  });
  const own = event === null ? changed : eventsOfNoun(event.split('.')[0] ?? '', changed);
  expect(own.map((each) => each.event)).toEqual(event === null ? [] : [event]);
  if (event !== null) await expectSameBytes(client, own[0], path);

  const unchanged = await eventsDuring(service, client, async () => {
    const { text } = await client.get(path);
    expect((await client.patch(path, change)).text).toBe(text);
    expect((await client.patch(path, change)).status).toBe(200);
    for (const nothing of [{}, { of_no_interest: 1 }, { id: before.id, created_at: 'x' }]) {
      const answer = await client.patch(path, nothing);
      expect(answer.status, answer.text).toBe(400);
      expect(answer.body.error.message).toEqual({
        formErrors: [expect.stringContaining(Object.keys(change)[0] ?? '')],
        fieldErrors: {},
      });
    }
    expect((await client.get(path)).text).toBe(text);
    for (const nobody of [
      unknownId(id.split('_')[0] ?? ''),
      'x',
      `${id}0`,
      id.toUpperCase(),
      unknownId('evt'),
    ])
      expectError(await client.patch(`/${collection}/${nobody}`, change), 404, 'Not found');
  });
  expect(unchanged).toEqual([]);
}
