import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  person = await signUp(service);
  await person.post('/properties', {
    name: 'Maple Court',
    address: '12 Elm Street',
    city: 'Springfield',
    units: [{ name: '2B' }, { name: '100%' }],
  });
  await person.post('/tenants', { first_name: 'Ada', last_name: 'Okafor', email: 'ada@example.com' });
  await person.post('/tenants', { first_name: 'Nadal', last_name: 'Elms', phone: '555-0100' });
});
afterAll(() => service.close());

const found = async (q: string): Promise<[string, string, string | null][]> => {
  const { status, body } = await person.get(`/search?q=${encodeURIComponent(q)}`);
  expect(status).toBe(200);
  expect(body.count).toBe(body.data.length);
  return body.data.map((hit: Record<string, string>) => [hit.type, hit.title, hit.subtitle ?? null]);
};

test('finds properties, tenants and units by any part, what begins with it first', async () => {
  expect(await found('ada')).toEqual([
    ['tenant', 'Ada Okafor', 'ada@example.com'],
    ['tenant', 'Nadal Elms', '555-0100'],
  ]);
  expect(await found('ELM')).toEqual([
    ['tenant', 'Nadal Elms', '555-0100'],
    ['property', 'Maple Court', '12 Elm Street, Springfield'],
  ]);
  expect(await found('maple 2b')).toEqual([]);
  expect(await found('maple court 2b')).toEqual([['unit', '2B', 'Maple Court']]);
  expect(await found('2b maple')).toEqual([['unit', '2B', 'Maple Court']]);
  expect(await found('okafor ada')).toEqual([['tenant', 'Ada Okafor', 'ada@example.com']]);
});

test('special characters of patterns are taken literally', async () => {
  expect(await found('100%')).toEqual([['unit', '100%', 'Maple Court']]);
  expect(await found('_')).toEqual([]);
  expect(await found("'; drop table tenants; --")).toEqual([]);
});

test('at most twenty', async () => {
  const units = Array.from({ length: 30 }, (_, at) => ({ name: `Loft ${at}` }));
  await person.post('/properties', { name: 'Lofts', units });
  expect(await found('loft')).toHaveLength(20);
});

test('finds leases, payments and requests by names, amounts, numbers and references', async () => {
  const property = await person.post('/properties', { name: 'Quay House', units: [{ name: '7Q' }] });
  const [unit] = (await person.get(`/units?property_id=${property.body.data.id}`)).body.data;
  const lease = { unit_id: unit.id, start_date: '2026-01-01', rent_cents: 234_500 };
  const tenant = await person.post('/tenants', { first_name: 'Quentin', last_name: 'Quill', lease });
  const paid = { amount_cents: 234_500, paid_on: '2026-02-01', reference: 'CHK-88' };
  await person.post('/payments', { ...paid, tenant_id: tenant.body.data.id });
  const repair = await person.post('/maintenance', {
    property_id: property.body.data.id,
    title: 'Roof leaks',
  });
  const payment = ['payment', 'Quentin Quill', '2345.00 USD on 2026-02-01, paid'];
  expect(await found('quill')).toEqual([
    ['tenant', 'Quentin Quill', null],
    ['lease', 'Quay House 7Q', 'Quentin Quill, from 2026-01-01'],
    payment,
  ]);
  for (const text of ['2345', '$2,345', '2,345.00', 'chk-88']) expect(await found(text)).toEqual([payment]);
  expect(await found('345')).toEqual([]);
  expect(await found(`#${repair.body.data.number}`)).toEqual([
    ['maintenance_request', 'Roof leaks', `Quay House, no. ${repair.body.data.number}, open`],
  ]);
  expect(await found('roof')).toHaveLength(1);
});

test('an empty search is a 400', async () => {
  expect((await person.get('/search')).status).toBe(400);
  expect((await person.get('/search?q=%20')).body.error.message.fieldErrors.q).toBeDefined();
});
