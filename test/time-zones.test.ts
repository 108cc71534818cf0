import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../src/db/sql.ts';
import { importAll } from './support/csv.ts';
import { make } from './support/records.ts';
import { type Client, type Service, testService } from './support/service.ts';

/*
 * Noon in UTC on the last day of October: in Kiritimati it is 2:00 on 1 November, in Niue 1:00 on 31 October.
 */
let service: Service;
beforeAll(async () => {
  service = await testService();
  service.app.now = () => new Date('2026-10-31T12:00:00.000Z');
});
afterAll(() => service.close());

async function clientIn(timeZone: string): Promise<Client> {
  const client = await service.client();
  await service.database.db.query(
    sql`update accounts set time_zone = ${timeZone} where id = ${client.accountId}`,
  );
  return client;
}

test.each([
  ['Pacific/Kiritimati', '2026-11-01', 'active', 'occupied'],
  ['Pacific/Niue', '2026-10-31', 'upcoming', 'vacant'],
])('in %s today is %s in every status, default and report', async (timeZone, today, status, unitStatus) => {
  const client = await clientIn(timeZone);
  const property = await make.property(client);
  const unit = await make.unit(client, { property_id: property.id });
  const tenant = await make.tenant(client);
  const lease = await make.lease(client, {
    unit_id: unit.id,
    tenant_ids: [tenant.id],
    start_date: '2026-11-01',
  });
  expect(lease.status).toBe(status);
  expect((await client.get(`/leases/${lease.id}`)).body.data.status).toBe(status);
  expect((await client.get(`/leases?status=${status}`)).body.count).toBe(1);
  expect((await client.get(`/units/${unit.id}`)).body.data.status).toBe(unitStatus);
  expect((await client.get(`/units?status=${unitStatus}`)).body.count).toBe(1);
  expect((await client.get(`/tenants?lease_status=${status}`)).body.count).toBe(1);
  const occupied = unitStatus === 'occupied' ? 1 : 0;
  expect((await client.get(`/properties/${property.id}`)).body.data.occupied_unit_count).toBe(occupied);

  const changes = [
    await client.patch(`/leases/${lease.id}`, { due_day: 3 }),
    await client.patch(`/units/${unit.id}`, { bedrooms: 4 }),
    await client.patch(`/properties/${property.id}`, { name: 'Oak' }),
  ].map(({ body }) => body.data);
  expect([changes[0].status, changes[1].status, changes[2].occupied_unit_count]).toEqual([
    status,
    unitStatus,
    occupied,
  ]);

  const payment = await client.post('/payments', { tenant_id: tenant.id, amount_cents: 1 });
  expect(payment.body.data.paid_on).toBe(today);
  const roll = await client.get('/reports/rent-roll');
  expect(roll.body).toEqual((await client.get(`/reports/rent-roll?as_of=${today}`)).body);
  const file = await client.get('/leases', { accept: 'text/csv' });
  expect(file.headers.get('content-disposition')).toContain(`leases-${today}.csv`);
});

test("an imported lease's ledger begins in the month that it is in the account's time zone", async () => {
  for (const [timeZone, from] of [
    ['Pacific/Kiritimati', '2026-11-01'],
    ['Pacific/Niue', '2026-10-01'],
  ] as const) {
    const client = await clientIn(timeZone);
    await make.unit(client, { property_id: (await make.property(client)).id, name: '1' });
    const leases = 'property,unit,tenants,start_date,rent\nMaple Court,1,Ada Okafor,2020-01-01,1000\n';
    const tenants = 'first_name,last_name\nAda,Okafor\n';
    await importAll(service, client, { tenants, leases }, { now: service.app.now() });
    expect((await client.get('/leases')).body.data).toMatchObject([{ ledger_from: from }]);
  }
});
