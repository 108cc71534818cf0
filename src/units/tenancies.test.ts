import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Person, signUp } from '../../test/support/browser.ts';
import { expectError, make, unknownId } from '../../test/support/records.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { Tenancy } from './tenancies.schema.ts';

let service: Service;
let person: Person;
let property: string;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  service.app.now = () => new Date('2026-11-15T12:00:00.000Z');
});
afterAll(() => service.close());
beforeEach(async () => {
  person = await signUp(service);
  property = (await make.property(person)).id;
});

const unit = async (name: string): Promise<string> =>
  (await make.unit(person, { property_id: property, name })).id;

/** Rents a new unit, by default from the first of November. */
const rent = async (name: string, fields: Record<string, unknown> = {}) => {
  const start_date = '2026-11-01';
  return make.lease(person, { unit_id: await unit(name), start_date, ledger_from: start_date, ...fields });
};

async function tenancies(): Promise<Record<string, Tenancy>> {
  const { status, body } = await person.get(`/properties/${property}/units`);
  expect(status).toBe(200);
  return Object.fromEntries(body.data.map((row: Tenancy) => [row.name, Tenancy.parse(row)]));
}

test('a unit shows who rents it, for how much, and what they owe', async () => {
  const ada = await make.tenant(person);
  const ben = await make.tenant(person, { first_name: 'Ben', last_name: 'Ito' });
  const rent_changes = [{ from: '2026-11-10', rent_cents: 130_000 }];
  const lease = await rent('1', { tenant_ids: [ben.id, ada.id], rent_changes });
  await make.payment(person, {
    tenant_id: ada.id,
    lease_id: lease.id,
    amount_cents: 25_000,
    paid_on: '2026-11-02',
  });
  const paid = await rent('2', { currency: 'EUR' });
  await make.payment(person, {
    ...{ tenant_id: paid.tenant_ids[0], lease_id: paid.id, currency: 'EUR' },
    ...{ amount_cents: 125_500, paid_on: '2026-11-02' },
  });
  await unit('3');
  const found = await tenancies();
  expect(found['1']).toMatchObject({
    status: 'occupied',
    tenants: [
      { id: ben.id, name: 'Ben Ito' },
      { id: ada.id, name: 'Ada Okafor' },
    ],
    lease: {
      ...{ id: lease.id, status: 'active', start_date: '2026-11-01', end_date: null, currency: 'USD' },
      ...{ rent_cents: 130_000, owed_cents: 100_000, overdue_cents: 100_000, credit_cents: 0 },
    },
  });
  expect(found['2']?.lease).toMatchObject({ currency: 'EUR', owed_cents: 0, credit_cents: 500 });
  expect(found['3']).toMatchObject({ status: 'vacant', tenants: [], lease: null, next_event: null });
});

test('what comes next is a move within 60 days, or else the next rent', async () => {
  const monthly = await rent('monthly', { due_day: 20 });
  const ending = await rent('ending', { end_date: '2027-01-14' });
  const late = await rent('late', { end_date: '2027-01-15' });
  const leaving = await rent('leaving', { end_date: '2027-01-10', notice_given_on: '2026-11-10' });
  const ended = await rent('ended', { ended_on: '2026-11-30' });
  const follow = await make.lease(person, { unit_id: ended.unit_id, start_date: '2026-11-30' });
  const coming = await rent('coming', { start_date: '2027-06-01', ledger_from: undefined });
  const calledOff = await rent('called off', { start_date: '2026-12-01', ended_on: '2026-12-01' });
  const over = await rent('over', { end_date: '2026-11-14' });
  const found = await tenancies();
  const next = (name: string) => found[name]?.next_event;
  expect(next('monthly')).toEqual({ type: 'rent_due', on: '2026-11-20', lease_id: monthly.id });
  expect(next('ending')).toEqual({ type: 'lease_ends', on: '2027-01-14', lease_id: ending.id });
  expect(next('late')).toEqual({ type: 'rent_due', on: '2026-12-01', lease_id: late.id });
  expect(next('leaving')).toEqual({ type: 'move_out', on: '2027-01-10', lease_id: leaving.id });
  expect(next('ended')).toEqual({ type: 'move_out', on: '2026-11-30', lease_id: ended.id });
  expect(next('coming')).toEqual({ type: 'move_in', on: '2027-06-01', lease_id: coming.id });
  expect(found.coming).toMatchObject({ status: 'vacant', lease: { status: 'upcoming' }, tenants: [{}] });
  expect([calledOff.status, over.status]).toEqual(['ended', 'ended']);
  for (const name of ['called off', 'over'])
    expect(found[name]).toMatchObject({ lease: null, tenants: [], next_event: null });
  service.app.now = () => new Date('2026-11-30T12:00:00.000Z');
  expect((await tenancies()).ended).toMatchObject({ lease: { id: follow.id, status: 'active' } });
  service.app.now = () => new Date('2026-11-15T12:00:00.000Z');
});

test('units come page by page; those of another property, account or none do not', async () => {
  for (const name of ['1', '2', '3']) await unit(name);
  await make.unit(person, { name: 'elsewhere' });
  const names: string[] = [];
  let path: string | undefined = `/properties/${property}/units?limit=2`;
  while (path) {
    const { body, headers } = await person.get(path);
    names.push(...body.data.map(({ name }: Tenancy) => name));
    path = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  expect(names).toEqual(['3', '2', '1']);
  const stranger = await signUp(service);
  expectError(await stranger.get(`/properties/${property}/units`), 404, 'Not found');
  expectError(await person.get(`/properties/${unknownId('prop')}/units`), 404, 'Not found');
});
