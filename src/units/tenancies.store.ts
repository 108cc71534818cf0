import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { date, id, json, number, object, present, word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { notFound } from '../errors.ts';
import { owedByLeaseOn } from '../ledger/balances/owed-on.ts';
import { leaseStatus } from '../ledger/rules/lease-status.ts';
import { nextRentDay, rentOn } from '../ledger/rules/rent-on.ts';
import { tenantNames } from '../ledger/tenant-names.ts';
import type { PageBounds } from '../paging.ts';
import { unitShape } from './units.store.ts';

/** Events further ahead than this say less than the next rent. The home page looks equally far ahead. */
const soonDays = 60;

/** The units of a property, each with the lease that runs or comes next. */
export async function listTenancies(
  db: Db,
  accountId: string,
  propertyId: string,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  const [property] = await db.query(sql`
    select 1 as known from properties where account_id = ${accountId} and id = ${propertyId}`);
  if (property === undefined) throw notFound();
  return listRecords(db, tenancyShape(accountId, today), {
    accountId,
    bounds,
    conditions: [sql`u.property_id = ${propertyId}`],
  });
}

function tenancyShape(accountId: string, today: string): RecordShape {
  const unit = unitShape(accountId, today);
  return {
    ...unit,
    fields: [...unit.fields, object('lease', 'l', leaseFields), json('names.tenants'), nextEvent],
    joins: sql`${unit.joins}
      left join lateral (${unendedLease(accountId, today, sql`true`)}) l on true
      left join lateral (${unendedLease(accountId, today, sql`l.start_date > ${today}::date`)}) coming on true
      cross join lateral (${owedByLeaseOn(accountId, today, raw('l.id'))}) o
      cross join lateral (${tenantNames(accountId)}) names
      left join lateral (${eventsOf(today)}) event on true`,
  };
}

const leaseFields = [
  present(id('lease', 'l.id')),
  present(word('l.status')),
  present(date('l.start_date')),
  date('l.end_date'),
  present(number('l.rent_then', 'rent_cents')),
  present(word('l.currency')),
  present(number('o.owed_cents')),
  present(number('o.overdue_cents')),
  present(number('o.credit_cents')),
];

const nextEvent = object('next_event', 'event', [
  present(word('event.type')),
  present(date('event.day', 'on')),
  present(id('lease', 'event.id', 'lease_id')),
]);

/** The first lease of the unit `u` that has not ended: the one that runs, or the next. */
const unendedLease = (accountId: string, today: string, which: Sql): Sql => sql`
  select l.*, ${leaseStatus('l', today)} as status,
    case when l.start_date > ${today}::date then l.rent_cents else ${rentOn('l', today)} end as rent_then
  from leases l
  where l.account_id = ${accountId} and l.unit_id = u.id
    and (l.until is null or l.until > greatest(l.start_date, ${today}::date)) and ${which}
  order by l.start_date limit 1`;

/** The event that is shown for the leases `l` and `coming`. On the same day, moving out comes before moving in. */
const eventsOf = (today: string): Sql => sql`
  select e.type, e.day, e.id
  from (
    select case when l.notice_given_on is null and l.ended_on is null then 'lease_ends' else 'move_out' end as type,
      coalesce(l.ended_on, l.end_date) as day, l.id, 1 as rank
    where l.start_date <= ${today}::date
    union all select 'move_in', coming.start_date, coming.id, 2
    union all select 'rent_due', ${nextRentDay('l', today)}, l.id, 3 where l.start_date <= ${today}::date) e
  where e.day >= ${today}::date
  order by case when e.rank = 3 then 1 when e.day <= ${today}::date + ${soonDays}::integer then 0 else 2 end,
    e.day, e.rank
  limit 1`;
