import { afterAll, beforeAll, expect, test } from 'vitest';
import { importAll } from '../../../test/support/csv.ts';
import { isCluster } from '../../../test/support/database.ts';
import { make } from '../../../test/support/records.ts';
import { type Client, type Service, testService } from '../../../test/support/service.ts';

let service: Service;
let client: Client;
beforeAll(async () => {
  service = await testService();
  client = await service.client();
});
afterAll(() => service.close());

const kinds = [
  { path: '/properties', made: () => make.property(client), change: (n: number) => ({ notes: `${n}` }) },
  { path: '/units', made: () => make.unit(client), change: (n: number) => ({ area_sqft: 100 + n }) },
  { path: '/tenants', made: () => make.tenant(client), change: (n: number) => ({ notes: `${n}` }) },
  { path: '/leases', made: () => make.lease(client), change: (n: number) => ({ rent_cents: 1000 + n }) },
  { path: '/payments', made: () => make.payment(client), change: (n: number) => ({ memo: `${n}` }) },
  { path: '/maintenance', made: () => make.maintenance(client), change: (n: number) => ({ title: `${n}` }) },
  { path: '/webhooks', made: () => make.webhook(client), change: (n: number) => ({ description: `${n}` }) },
];

test.each(kinds)(
  'of changes of one record at once, the last has the latest updated_at: $path',
  async ({ path, made, change }) => {
    const record = await made();
    // The changes wait for each other. On a cluster each takes longer, and one that waits too long is answered with
    // 503.
    const atOnce = isCluster() ? 8 : 20;
    const answers = await Promise.all(
      Array.from({ length: atOnce }, (_, n) => client.patch(`${path}/${record.id}`, change(n))),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const states: { updated_at: string }[] = answers.map(({ body }) => body.data);
    states.sort((one, other) => one.updated_at.localeCompare(other.updated_at));
    expect(new Set(states.map(({ updated_at }) => updated_at)).size).toBe(states.length);
    expect(states.at(-1)).toEqual((await client.get(`${path}/${record.id}`)).body.data);
  },
);

test('a change by a file is later than the change it overwrites, even one made while the file was read', async () => {
  const tenant = await make.tenant(client, { external_id: 'T-1' });
  const { now } = service.app;
  service.app.now = () => new Date(Date.now() + 60_000);
  const early = await client.patch(`/tenants/${tenant.id}`, { notes: 'by the API' });
  service.app.now = now;
  await importAll(service, client, {
    tenants: 'external_id,first_name,last_name,notes\nT-1,Ada,Okafor,by a file\n',
  });
  const { notes, updated_at } = (await client.get(`/tenants/${tenant.id}`)).body.data;
  expect(notes).toBe('by a file');
  expect(updated_at > early.body.data.updated_at).toBe(true);
});
