import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenure } from '../../test/support/process.ts';
import { type Service, testService } from '../../test/support/service.ts';
import { sql } from '../db/sql.ts';

let service: Service;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const create = (email: string, ...more: string[]) =>
  tenure<{ account_id: string }>(
    { DATABASE_URL: service.database.url, SECRET_KEY: service.secretKey },
    ...['accounts', 'create', '--email', email, '--name', 'Riverton Rentals', ...more],
  );

test('an account is made in its time zone, and a zone that does not exist is refused', async () => {
  await create('here@example.com', '--time-zone', 'asia/tokyo');
  await create('anywhere@example.com');
  await expect(create('mars@example.com', '--time-zone', 'Mars/Olympus')).rejects.toThrow(
    '--time-zone must be an IANA name such as Europe/Berlin; it is "Mars/Olympus".',
  );
  const rows = await service.database.db.query<{ time_zone: string }>(sql`
    select a.time_zone from accounts a join account_clocks c on c.account_id = a.id
    where a.name = 'Riverton Rentals' order by a.id`);
  expect(rows.map(({ time_zone }) => time_zone)).toEqual(['Asia/Tokyo', 'UTC']);
});
