import { expect } from 'vitest';
import { startOfDay } from '../../src/clock.ts';
import { turnNextDay } from '../../src/days/turn-day.ts';
import { sql } from '../../src/db/sql.ts';
import { addDays } from '../../src/ledger/rules/calendar.ts';
import { analyzeGrown } from '../../src/system/analyze-grown.ts';
import { itIs } from './ledger.ts';
import { eventsOf, make } from './records.ts';
import type { Client, Service } from './service.ts';

/*
 * A year of rent on the same facts: lived day by day in an account, and in test mode in one go. Both give what
 * happened, with ids replaced by how many came before, and without the times at which it was written down.
 */

export interface Year {
  events: string[];
  ledgers: string[];
}

const first = '2026-11-17';

export interface Extent {
  units: number;
  days: number;
}

export async function yearOfDays(service: Service, client: Client, { units, days }: Extent): Promise<Year> {
  const last = addDays(first, days);
  const leases = await makeFacts(service, client, units);
  for (let day = first; day <= last; day = addDays(day, 1)) {
    service.app.now = () => startOfDay(day, 'UTC');
    while ((await turnNextDay(service.app.db, client.accountId, service.app.now())) !== null);
    // In life autovacuum does so, which is off here.
    if (day.endsWith('-01')) await analyzeGrown(service.app.db);
  }
  itIs(service, last);
  return whatHappened(service, client, leases);
}

export async function yearOfTest(service: Service, client: Client, { units, days }: Extent): Promise<Year> {
  const last = addDays(first, days);
  const leases = await makeFacts(service, client, units);
  const answer = await client.post('/test/clock/advance', { to: `${last}T12:00:00Z` });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data.days).toBe(days);
  return whatHappened(service, client, leases);
}

async function makeFacts(service: Service, client: Client, units: number): Promise<string[]> {
  itIs(service, first);
  await service.database.db.query(sql`
    update account_clocks set through_day = ${first}, next_turn_at = ${startOfDay(addDays(first, 1), 'UTC')}
    where account_id = ${client.accountId}`);
  const late_fees = {
    grace_days: 3,
    first: { percent_of_open: 5 },
    daily: { fixed_cents: 200 },
    cap_cents: 3_000,
  };
  await client.patch('/account', { late_fees });
  const property_id = (await make.property(client)).id;
  const leases: string[] = [];
  for (let at = 0; at < units; at++) {
    const unit_id = (await make.unit(client, { property_id, name: `${at}` })).id;
    const lease = await make.lease(client, {
      unit_id,
      start_date: at % 3 === 0 ? addDays(first, 10 + (at % 60)) : '2026-01-01',
      end_date: at % 4 === 1 ? addDays(first, 100 + (at % 50)) : null,
      due_day: 1 + (at % 28),
      deposit_cents: at % 3 === 0 ? 50_000 : null,
      ...(at % 5 === 2 ? { notice_given_on: addDays(first, 20) } : {}),
    });
    leases.push(lease.id);
    const [tenant_id] = lease.tenant_ids;
    if (at % 2 === 0) await client.post('/payments', { tenant_id, amount_cents: 300_000, paid_on: first });
    if (at % 6 === 5)
      await client.post('/recurring-charges', {
        lease_id: lease.id,
        kind: 'parking',
        amount_cents: 4_000,
        every: 'two_weeks',
        starts_on: addDays(first, 5),
      });
  }
  return leases;
}

export async function whatHappened(service: Service, client: Client, leases: string[]): Promise<Year> {
  const known = new Map<string, string>();
  const plain = (text: string): string =>
    text
      .replace(/"(created_at|updated_at)":"[^"]*",?/g, '')
      .replace(/([a-z]+)_[0-9a-f]{32}/g, (id, prefix: string) => {
        if (!known.has(id)) known.set(id, `${prefix}_${known.size}`);
        return known.get(id) ?? id;
      });
  const events = (await eventsOf(service, client)).map(({ event, body }) => {
    const { data, actor } = JSON.parse(body);
    return `${event} ${plain(JSON.stringify({ data, actor: actor.type }))}`;
  });
  const ledgers: string[] = [];
  for (const id of leases) ledgers.push(plain((await client.get(`/leases/${id}/ledger?voided=true`)).text));
  return { events, ledgers };
}
