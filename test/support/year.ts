import { expect } from 'vitest';
import { startOfDay } from '../../src/clock.ts';
import { findAgenda, occasions, setClock, takeClock } from '../../src/days/days.store.ts';
import { turnDay, turnNextDay, writingOn } from '../../src/days/turn-day.ts';
import { sql } from '../../src/db/sql.ts';
import { addDays } from '../../src/ledger/rules/calendar.ts';
import { analyzeGrown } from '../../src/system/analyze-grown.ts';
import { itIs } from './ledger.ts';
import { eventsOf, make } from './records.ts';
import type { Client, Service } from './service.ts';

/*
 * A year of rent for the same facts: day by day in an account, in one step in test mode, and with every day checked for
 * everything. All return what happened, with ids replaced by how many came before, and without the times at which it
 * was recorded.
 */

interface Year {
  events: string[];
  ledgers: string[];
}

const first = '2026-11-17';

interface Extent {
  units: number;
  days: number;
  /** Whether late fees are charged every day, or once for each rent. */
  daily: boolean;
}

export async function yearOfDays(
  service: Service,
  client: Client,
  extent: Extent,
  turn = turnNextDay,
): Promise<Year> {
  const last = addDays(first, extent.days);
  const leases = await makeFacts(service, client, extent);
  for (let day = first; day <= last; day = addDays(day, 1)) {
    service.app.now = () => startOfDay(day, 'UTC');
    while ((await turn(service.app.db, client.accountId, service.app.now())) !== null);
    // In life autovacuum does so, which is off here.
    if (day.endsWith('-01')) await analyzeGrown(service.app.db);
  }
  itIs(service, last);
  return whatHappened(service, client, leases);
}

/** Each day is looked through for everything, whatever its agenda says. */
export const yearOfEverything = (service: Service, client: Client, extent: Extent): Promise<Year> =>
  yearOfDays(service, client, extent, (db, accountId, now) =>
    db.transaction(async (tx) => {
      const taken = await takeClock(tx, accountId, now);
      if (taken === null) return null;
      const day = addDays(taken.throughDay, 1);
      await turnDay(
        tx,
        writingOn(accountId, day, now),
        await findAgenda(tx, accountId, day),
        new Set(occasions),
      );
      await setClock(tx, accountId, { ...taken, throughDay: day }, startOfDay(addDays(day, 1), 'UTC'));
      return day;
    }),
  );

export async function yearOfTest(service: Service, client: Client, extent: Extent): Promise<Year> {
  const { days } = extent;
  const last = addDays(first, days);
  const leases = await makeFacts(service, client, extent);
  const answer = await client.post('/test/clock/advance', { to: `${last}T12:00:00Z` });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body.data.days).toBe(days);
  return whatHappened(service, client, leases);
}

async function makeFacts(service: Service, client: Client, { units, daily }: Extent): Promise<string[]> {
  itIs(service, first);
  await service.database.db.query(sql`
    update account_clocks set through_day = ${first}, next_turn_at = ${startOfDay(addDays(first, 1), 'UTC')}
    where account_id = ${client.accountId}`);
  const late_fees = {
    grace_days: 3,
    first: { percent_of_open: 5 },
    daily: daily ? { fixed_cents: 200 } : null,
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
    // It counts when its day comes.
    if (at % 4 === 3)
      await client.post('/payments', { tenant_id, amount_cents: 150_000, paid_on: addDays(first, 33 + at) });
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
