import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { listRecords, type Page } from '../../db/lists/list.ts';
import { changedAt } from '../../db/records/changed-at.ts';
import {
  bigint,
  date,
  orNull,
  type RowOf,
  reference,
  shapeOf,
  table,
  text,
  type WithId,
  word,
} from '../../db/records/columns.ts';
import * as json from '../../db/records/json.ts';
import { insertRows } from '../../db/records/rows.ts';
import { getRecord, noJoins, recordJson } from '../../db/records/shape.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { changedField } from '../../events/history.ts';
import { changeQuietly } from '../../events/record.ts';
import { decimalAmount } from '../../money.ts';
import type { PageBounds } from '../../paging.ts';
import { columnsOfLease, joinLease } from '../leases.store.ts';
import type { DepositMove } from '../rules/deposit-held.ts';

export const depositRefunds = table(
  'deposit_refunds',
  { alias: 'd', prefix: 'ref' },
  {
    lease_id: reference('lease'),
    amount_cents: bigint,
    refunded_on: date,
    memo: orNull(text),
    source: word(),
    voided_on: orNull(date),
    void_reason: orNull(text),
  },
);

export const refundShape = shapeOf(depositRefunds, {
  amount_cents: [
    json.present(json.word(decimalAmount('d.amount_cents', 'd.currency'), 'amount')),
    json.present(json.word('d.currency')),
  ],
});

/** All refunds of an account, newest first. */
export const listRefunds = (db: Db, accountId: string, bounds: PageBounds): Promise<Page> =>
  listRecords(db, refundShape, { accountId, bounds });

export async function insertRefund(
  tx: Db,
  caller: Caller,
  row: WithId<RowOf<typeof depositRefunds>>,
): Promise<string> {
  const { accountId } = caller;
  const insert = insertRows(depositRefunds, accountId, [row], {
    values: { currency: columnsOfLease.currency },
    joins: joinLease(accountId),
  });
  await tellLease(tx, caller, row.lease_id, { before: raw("'null'"), refund: insert });
  return getRecord(tx, refundShape, accountId, row.id);
}

/** Writes a refund. It has no page of its own: it appears in the history of its lease. */
async function tellLease(
  tx: Db,
  { accountId, actor }: Pick<Caller, 'accountId' | 'actor'>,
  leaseId: string,
  { before, refund }: { before: Sql; refund: Sql },
): Promise<void> {
  const refunded = changedField('deposit_refund', before, sql`(${recordJson(refundShape)})`);
  await changeQuietly(tx, {
    accountId,
    actor,
    shape: { table: 'leases', alias: 'l', fields: [], joins: noJoins },
    first: sql`refund as (${refund})`,
    rows: sql`select * from leases where account_id = ${accountId} and id = ${leaseId}`,
    differs: { only: true, pieces: [refunded], joins: raw('cross join refund d') },
    action: 'updated',
  });
}

/** The lease of a refund, and whether the refund is voided. */
export async function findRefund(
  tx: Db,
  accountId: string,
  id: string,
): Promise<{ lease_id: string; voided: boolean } | undefined> {
  const [row] = await tx.query<{ lease_id: string; voided: boolean }>(sql`
    select lease_id, voided_on is not null as voided from deposit_refunds
    where account_id = ${accountId} and id = ${id}`);
  return row;
}

export async function updateVoided(
  tx: Db,
  { accountId, actor }: Caller,
  leaseId: string,
  id: string,
  { reason, on, now }: { reason: string; on: string; now: Date },
): Promise<string> {
  const before = await getRecord(tx, refundShape, accountId, id);
  const update = sql`
    update deposit_refunds d set voided_on = ${on}::date, void_reason = ${reason}, updated_at = ${changedAt('d', now)}
    where d.account_id = ${accountId} and d.id = ${id} returning d.*`;
  await tellLease(tx, { accountId, actor }, leaseId, { before: sql`${before}::text`, refund: update });
  return getRecord(tx, refundShape, accountId, id);
}

/** What was taken out of a lease's deposit since its ledger began: applied or refunded. */
export function findDepositMoves(tx: Db, accountId: string, leaseId: string): Promise<DepositMove[]> {
  return tx.query<DepositMove>(sql`
    select m.day::text as date, m.amount_cents::float8 from ${movesOf(accountId, [leaseId])}`);
}

export interface DepositTaken {
  lease_id: string;
  currency: string;
  day: string;
  /** Applied or refunded up to the day. */
  taken_cents: number;
  /** Charged as a deposit up to the day, paid or not. */
  charged_cents: number;
}

/** One row for each day on which something was taken out of the deposits of leases. */
export function findDepositsTaken(tx: Db, accountId: string, leaseIds: string[]): Promise<DepositTaken[]> {
  return tx.query<DepositTaken>(sql`
    select l.id as lease_id, l.currency, m.day::text,
      (sum(m.amount_cents) over (partition by l.id order by m.day))::float8 as taken_cents,
      coalesce((
        select sum(c.amount_cents) from charges c
        where c.account_id = ${accountId} and c.lease_id = l.id and c.kind = 'deposit' and c.voided_on is null
          and c.currency = l.currency and c.due_on between l.ledger_from and m.day), 0)::float8 as charged_cents
    from ${movesOf(accountId, leaseIds)} order by m.day`);
}

const movesOf = (accountId: string, leaseIds: string[]): Sql => sql`(
    select lease_id, credited_on as day, amount_cents, currency from credits
    where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[]) and reason = 'deposit'
      and voided_on is null
    union all
    select lease_id, refunded_on, amount_cents, currency from deposit_refunds
    where account_id = ${accountId} and lease_id = any(${leaseIds}::uuid[]) and voided_on is null) m
  join leases l on l.account_id = ${accountId} and l.id = m.lease_id and m.currency = l.currency
    and m.day >= l.ledger_from`;
