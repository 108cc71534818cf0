import { startOfDay, todayIn } from '../../src/clock.ts';
import { turnNextDay } from '../../src/days/turn-day.ts';
import { sql } from '../../src/db/sql.ts';
import { addDays } from '../../src/ledger/rules/calendar.ts';
import type { Service } from './service.ts';

/** Sets an account's clock as if today had been turned, whatever day that is for the service. */
export async function startClock(service: Service, accountId: string, timeZone = 'UTC'): Promise<void> {
  const today = todayIn(timeZone, service.app.now());
  const next = startOfDay(addDays(today, 1), timeZone);
  await service.database.db.query(sql`
    insert into account_clocks (account_id, through_day, next_turn_at) values (${accountId}, ${today}::date, ${next})
    on conflict (account_id) do update set through_day = excluded.through_day, next_turn_at = excluded.next_turn_at`);
}

/** Turns the days of an account up to the present one, as a worker does. */
export async function turnDays({ app }: Service, accountId: string): Promise<void> {
  while ((await turnNextDay(app.db, accountId, app.now())) !== null);
}
