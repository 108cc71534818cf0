import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { parseId } from '../../src/ids.ts';
import { addDays } from '../../src/ledger/rules/calendar.ts';
import { countLockWaits } from '../support/database.ts';
import { freePort, ready, spawnServer, until } from '../support/process.ts';
import { make } from '../support/records.ts';
import { type Client, testService } from '../support/service.ts';
import { thorough } from '../support/thorough.ts';
import { whatHappened } from '../support/year.ts';

test.runIf(thorough)(
  'an advance whose process is killed ends between two days, and the next continues as if nothing had happened',
  async () => {
    const service = await testService();
    onTestFinished(() => service.close());
    const [calm, troubled] = [
      await service.trialOf(await service.client()),
      await service.trialOf(await service.client()),
    ];
    const today: string = (await calm.get('/test/clock')).body.data.today;
    const to = `${addDays(today, 300)}T12:00:00Z`;
    const calmLeases = await makeLeases(calm, today);
    const leases = await makeLeases(troubled, today);

    const api = spawnServer(
      {
        DATABASE_URL: service.database.url,
        SECRET_KEY: service.secretKey,
        DATABASE_TIMEOUT_MS: '60000',
        PORT: String(await freePort()),
      },
      'api',
    );
    onTestFinished(() => api.kill('SIGKILL'));
    await ready(api);

    // The day on which the second lease's first rent is posted has to wait, because somebody else holds that lease.
    const holder = new pg.Client(service.database.connection);
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query('select from leases where account_id = $1 and id = $2 for update', [
      troubled.accountId,
      parseId('lease', leases[1] ?? ''),
    ]);
    const lost = fetch(`${api.url}/api/v1/test/clock/advance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${troubled.key}` },
      body: JSON.stringify({ to }),
    }).then(
      ({ status }) => status,
      () => 'no answer',
    );
    await until(async () => (await countLockWaits(service.database.db)) > 0);
    api.kill('SIGKILL');
    await api.ended;
    expect(await lost).toBe('no answer');
    await holder.query('rollback');

    // The days before are done, and nothing of those that were under way.
    const [clock] = await service.database.db.query<{ through: string }>(
      sql`select through_day::text as through from account_clocks where account_id = ${troubled.accountId}`,
    );
    expect((await troubled.get('/test/clock')).body.data.today).toBe(clock?.through);
    expect(clock?.through.localeCompare(today)).toBe(1);
    expect((await troubled.get(`/charges?lease_id=${leases[1]}`)).body.count).toBe(0);

    const rest = await troubled.post('/test/clock/advance', { to });
    expect(rest.status, rest.text).toBe(200);
    const days = (await calm.post('/test/clock/advance', { to })).body.data.days;
    expect(rest.body.data.days).toBeLessThan(days);
    expect(await whatHappened(service, troubled, leases)).toEqual(
      await whatHappened(service, calm, calmLeases),
    );
  },
);

/** One lease that is late from the beginning, and one whose first rent is posted in another transaction. */
async function makeLeases(client: Client, today: string): Promise<string[]> {
  const late_fees = {
    grace_days: 3,
    first: { fixed_cents: 2_000 },
    daily: { fixed_cents: 100 },
    cap_cents: 2_300,
  };
  const { id: property_id } = await make.property(client);
  const leases: string[] = [];
  for (const from of [-40, 250]) {
    const { id: unit_id } = await make.unit(client, { property_id, name: `From ${from}` });
    const { id } = await make.lease(client, { unit_id, start_date: addDays(today, from), late_fees });
    leases.push(id);
  }
  return leases;
}
