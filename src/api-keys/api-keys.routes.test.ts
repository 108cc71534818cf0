import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, signUp } from '../../test/support/browser.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { ApiKey, NewApiKey } from './api-keys.schema.ts';

let service: Service;
let person: Person;
beforeAll(async () => {
  service = await testService({ SIGN_UP: 'open' });
  person = await signUp(service);
});
afterAll(() => service.close());

test('a key made in the dashboard is shown once, works, and stops when revoked', async () => {
  const made = await person.post(
    '/api-keys',
    { name: ' Zap ', permission: 'write', expires_in_days: 30 },
    { 'idempotency-key': 'not kept' },
  );
  expect(made.status).toBe(201);
  const { key, ...shown } = NewApiKey.parse(made.body.data);
  expect(shown).toMatchObject({ name: 'Zap', permission: 'write', status: 'active', last_used_at: null });
  expect(Date.parse(shown.expires_at ?? '') - Date.now()).toBeGreaterThan(29.9 * 86_400_000);
  expect(key.startsWith(shown.prefix)).toBe(true);

  const listed = await person.get('/api-keys');
  expect(listed.text).not.toContain(key);
  expect(listed.body).toMatchObject({ data: [shown], count: 1 });
  ApiKey.array().parse(listed.body.data);
  const kept = await service.database.db.pool.query('select count(*)::int as count from idempotency_keys');
  expect(kept.rows).toEqual([{ count: 0 }]);

  expect((await service.request('POST', '/properties', { key, body: { name: 'Maple' } })).status).toBe(201);
  expect((await person.get('/properties')).body.count).toBe(1);
  expect((await service.request('GET', '/properties', { key })).status).toBe(200);

  const revoked = await person.delete(`/api-keys/${shown.id}`);
  expect(revoked.body.data).toEqual({ id: shown.id, revoked: true });
  // The process that revoked the key refuses it at once, although it had just remembered it as valid.
  expect((await service.request('GET', '/properties', { key })).status).toBe(401);
  expect((await person.get('/api-keys')).body.data[0].status).toBe('revoked');
});

test('errors are reported at their fields', async () => {
  const fields = async (body: object) =>
    Object.keys((await person.post('/api-keys', body)).body.error.message.fieldErrors).sort();
  expect(await fields({})).toEqual(['name', 'permission']);
  expect(await fields({ name: 'x', permission: 'admin', expires_in_days: 12 })).toEqual([
    'expires_in_days',
    'permission',
  ]);
  expect(
    (await person.post('/api-keys', { name: 'x', permission: 'read', expires_in_days: null })).status,
  ).toBe(201);
});

test('the catalogue describes every event that can be subscribed to', async () => {
  const { body } = await person.get('/event-catalogue');
  expect(body.count).toBe(body.data.length);
  expect(body.data).toContainEqual({ event: 'tenant.created', description: 'A tenant was added.' });
  for (const { description } of body.data) expect(description).toMatch(/^[A-Z].*\.$/);
});
