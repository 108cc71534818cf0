import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { listRecords, type Page } from '../../db/lists/list.ts';
import { oneOf } from '../../db/lists/selections.ts';
import type { SortKeys } from '../../db/lists/sorted-rows.ts';
import { setChanged } from '../../db/records/changed-at.ts';
import { shapeOf, type WithId } from '../../db/records/columns.ts';
import { id, number, present, time, word } from '../../db/records/json.ts';
import { type Computed, insertRows } from '../../db/records/rows.ts';
import type { RecordShape } from '../../db/records/shape.ts';
import { numbered, writtenHere } from '../../db/records/written-in.ts';
import { all, join, none, raw, type Sql, sql } from '../../db/sql.ts';
import { changedField } from '../../events/history.ts';
import { decimalAmount } from '../../money.ts';
import type { PageBounds } from '../../paging.ts';
import { type Searched, searchByNames, textOf } from '../../search/search-by-names.ts';
import { leaseOfTenant } from '../lease-of-tenant.ts';
import { columnsOfLease, joinLease } from '../leases.store.ts';
import { daysBetween, later } from '../rules/calendar.ts';
import { type ChargeRow, charges } from './charges.columns.ts';
import { type ChargeFilter, type chargeSortFields, chargeStatuses } from './charges.schema.ts';

/** What is open of the charge `c` on a day. There is no row if nothing is open. */
const openOn = (accountId: string, day: string): Sql => sql`
  select s.amount_cents from open_spans s
  where s.account_id = ${accountId} and s.lease_id = c.lease_id and s.kind = 'charge' and s.item_id = c.id
    and s.from_day <= ${day}::date and (s.to_day is null or s.to_day > ${day}::date)`;

/** `offset 0` keeps Postgres from looking up what is open again wherever it is mentioned. */
const stateOn = (accountId: string, day: string): Sql => sql`
  cross join lateral (
    select case when c.voided_on is not null then 0 when c.due_on > ${day}::date then c.amount_cents
      else coalesce((${openOn(accountId, day)}), 0) end as open_cents offset 0) o
  cross join lateral (
    select case when c.voided_on is not null then 'voided' when c.due_on > ${day}::date then 'upcoming'
      when o.open_cents = 0 then 'paid' when o.open_cents < c.amount_cents then 'partial' else 'open' end as status) s`;

export const chargeShape = (accountId: string, today: string): RecordShape =>
  shapeOf(
    charges,
    {
      lease_id: [present(id('prop', 'c.property_id')), present(id('unit', 'c.unit_id'))],
      amount_cents: [
        present(word(decimalAmount('c.amount_cents', 'c.currency'), 'amount')),
        present(word('c.currency')),
      ],
      void_reason: [
        present(word('s.status')),
        present(number('o.open_cents')),
        present(word(decimalAmount('o.open_cents', 'c.currency'), 'open')),
      ],
    },
    stateOn(accountId, today),
  );

/** The same for a charge that was just made, even if it is dated to a later change already. */
export const newChargeShape = (accountId: string, today: string): RecordShape => {
  const shape = chargeShape(accountId, today);
  const made = present(time('c.created_at', 'updated_at'));
  return { ...shape, fields: shape.fields.map((field) => (field.name === 'updated_at' ? made : field)) };
};

/** Unit, property and currency come from the lease. */
export const insertCharges = (
  accountId: string,
  rows: WithId<ChargeRow>[],
  today: string,
  { unlessThere, changing }: { unlessThere: boolean } & Pick<Computed, 'changing'>,
): Sql =>
  insertRows(charges, accountId, rows, {
    onConflict: unlessThere ? raw('on conflict do nothing') : none,
    changing,
    values: {
      ...columnsOfLease,
      overdue_from: sql`greatest(n.due_on, ${today}::date) + 1`,
      ...numbered,
    },
    joins: joinLease(accountId),
  });

/** For charges that a statement has just written: which leases to recalculate, and from which day. */
export const dueDaysOfChanged: Sql = raw('select lease_id, due_on as from_day from changed');

export const updateVoided = (
  accountId: string,
  ids: string[],
  { reason, byHand, on, now }: { reason: string; byHand: boolean; on: string; now: Date },
): Sql => sql`
  update charges c set voided_on = ${on}::date, void_reason = ${reason}, voided_by_hand = ${byHand},
    ${setChanged('c', now)}
  where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])`;

/** Charges written by this transaction already count as changed, unless it wrote them for an earlier day. */
export const updateChanged = (accountId: string, ids: string[], now: Date): Sql => sql`
  update charges c set ${setChanged('c', now)}
  where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])
    and (c.written_in <> ${writtenHere} or c.created_at < ${now})`;

const was = raw("'null'");

/** What changes when a charge is voided. */
export const howVoided: Sql[] = [
  changedField('voided_on', was, raw('to_json(c.voided_on)::text')),
  changedField('void_reason', was, raw('to_json(c.void_reason)::text')),
];

/** The charges among these that are open on a day. */
export async function findOpen(tx: Db, accountId: string, ids: string[], day: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select c.id from charges c where c.account_id = ${accountId} and c.id = any(${ids}::uuid[])
      and exists (${openOn(accountId, day)})`);
  return rows.map(({ id }) => id);
}

export const selectCharges = (accountId: string, ids: string[]): Sql =>
  sql`select * from charges where account_id = ${accountId} and id = any(${ids}::uuid[])`;

/** The same expression as in the index charges_by_due_day. */
const sortKeys: SortKeys<(typeof chargeSortFields)[number]> = {
  due_on: { key: (c) => `${c}.due_on`, type: 'date' },
};

const searched: Searched = {
  table: 'charges',
  alias: 'c',
  ...textOf('c', 'memo', 'external_id'),
  tenants: 'lease_id',
  unitsVia: 'lease_id',
};

export function listCharges(
  db: Db,
  shape: RecordShape,
  caller: Caller,
  filter: ChargeFilter,
  bounds: PageBounds,
  today: string,
): Promise<Page> {
  const { accountId } = caller;
  const { kind, few, conditions } = conditionsOf(accountId, filter, today, bounds.sort === undefined);
  const sorting = { keys: sortKeys, from: filter.from, to: filter.to };
  const search = filter.q === undefined ? undefined : searchByNames(searched, caller, filter.q);
  if (kind !== undefined && search === undefined && few.length + conditions.length === 0)
    return listRecords(db, shape, { accountId, bounds, selections: [[oneOf('kind', kind)]], sorting });
  const ofKind = kind === undefined ? [] : [sql`c.kind = any(${kind})`];
  const [first, ...others] = few;
  return listRecords(db, shape, {
    accountId,
    bounds,
    search,
    ...(first ? { few: first } : {}),
    conditions: [...others, ...conditions, ...ofKind],
    sorting,
  });
}

interface Conditions {
  kind: ChargeFilter['kind'];
  /** Conditions that few charges meet, the most selective first. */
  few: Sql[];
  conditions: Sql[];
}

function conditionsOf(accountId: string, filter: ChargeFilter, today: string, byDays: boolean): Conditions {
  const { lease_id, tenant_id, property_id, external_id, kind, status, overdue, from, to } = filter;
  const few: Sql[] = [];
  const conditions: Sql[] = [];
  if (external_id !== undefined) few.push(sql`c.external_id = ${external_id}`);
  if (lease_id !== undefined) few.push(sql`c.lease_id = ${lease_id}`);
  if (tenant_id !== undefined) few.push(sql`c.lease_id in (${leaseOfTenant(accountId, tenant_id)})`);
  if (overdue !== undefined) {
    const isOverdue = sql`(c.due_on < ${today}::date and c.id in (${openItems(accountId, today)}))`;
    if (overdue) few.push(isOverdue);
    else conditions.push(sql`not ${isOverdue}`);
  }
  if (status?.every((each) => each === 'voided')) conditions.push(raw('c.voided_on is not null'));
  else if (status !== undefined && status.length < chargeStatuses.length) {
    const rare = rareStatuses(accountId, status, today);
    if (rare) few.push(rare);
    conditions.push(
      sql`(select s.status from (values (1)) one ${stateOn(accountId, today)}) = any(${status})`,
    );
  }
  const days = [
    ...(from === undefined ? [] : [sql`c.due_on >= ${from}::date`]),
    ...(to === undefined ? [] : [sql`c.due_on <= ${to}::date`]),
  ];
  if (
    byDays &&
    from !== undefined &&
    daysBetween(from, later(today, to ?? today)) <= narrowDays &&
    days.length > 0
  )
    few.push(all(days));
  else conditions.push(...days);
  if (property_id !== undefined) conditions.push(sql`c.property_id = ${property_id}`);
  return { kind, few, conditions };
}

/** A range of up to this many days is read by due day. In a wider range, the order of ids soon fills a page. */
const narrowDays = 62;

/** Only few of all charges are open, so they are found through open_spans. */
const openItems = (accountId: string, day: string): Sql => sql`
  select s.item_id from open_spans s
  where s.account_id = ${accountId} and s.kind = 'charge' and daterange(s.from_day, s.to_day) @> ${day}::date`;

/** How to find charges with these statuses; null if there may be many, as with paid ones. */
function rareStatuses(accountId: string, statuses: readonly string[], today: string): Sql | null {
  if (statuses.includes('paid')) return null;
  const ids = sql`select v.id from charges v where v.account_id = ${accountId}`;
  const ways = [
    ...(statuses.includes('open') || statuses.includes('partial') ? [openItems(accountId, today)] : []),
    ...(statuses.includes('voided') ? [sql`${ids} and v.voided_on is not null`] : []),
    ...(statuses.includes('upcoming') ? [sql`${ids} and v.due_on > ${today}::date`] : []),
  ];
  return sql`c.id in (${join(ways, ' union all ')})`;
}

interface Deposit {
  id: string;
  lease_id: string;
  amount_cents: number;
}

export const findDeposits = (db: Db, accountId: string, leaseIds: string[]): Promise<Deposit[]> =>
  db.query<Deposit>(sql`
    select id, lease_id, amount_cents::float8 from charges
    where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[]) and kind = 'deposit' and voided_on is null`);

/** The lease that the charge belongs to, or null if there is no such charge. */
export async function findLeaseOf(tx: Db, accountId: string, id: string): Promise<string | null> {
  const [row] = await tx.query<{ lease_id: string }>(
    sql`select lease_id from charges where account_id = ${accountId} and id = ${id}`,
  );
  return row?.lease_id ?? null;
}

interface Locked {
  kind: string;
  voided_on: string | null;
  /** Whether the charge replaces a rent that the lease charges by itself. */
  replaces: boolean;
}

export async function lockCharge(tx: Db, accountId: string, id: string): Promise<Locked | undefined> {
  const [row] = await tx.query<Locked>(sql`
    select kind, voided_on::text, kind = 'rent' and period is not null and source <> 'schedule' as replaces
    from charges where account_id = ${accountId} and id = ${id} for no key update`);
  return row;
}
