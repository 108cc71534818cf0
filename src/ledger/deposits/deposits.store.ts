import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
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
import { getRecord, listRecords, noJoins, type Page, recordJson } from '../../db/records/list.ts';
import { insertRows } from '../../db/records/rows.ts';
import { raw, sql } from '../../db/sql.ts';
import { changedField } from '../../events/history.ts';
import { changeQuietly } from '../../events/record.ts';
import { decimalAmount } from '../../money.ts';
import type { PageBounds } from '../../paging.ts';
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
  { accountId, actor }: Caller,
  row: WithId<RowOf<typeof depositRefunds>>,
): Promise<string> {
  const insert = insertRows(depositRefunds, accountId, [row], {
    values: { currency: raw('l.currency') },
    joins: sql`join leases l on l.account_id = ${accountId} and l.id = n.lease_id`,
  });
  // A refund has no page of its own: the history of its lease tells of it.
  const refunded = changedField('deposit_refund', raw("'null'"), sql`(${recordJson(refundShape)})`);
  await changeQuietly(tx, {
    accountId,
    actor,
    shape: { table: 'leases', alias: 'l', fields: [], joins: noJoins },
    first: sql`refund as (${insert})`,
    rows: sql`select * from leases where account_id = ${accountId} and id = ${row.lease_id}`,
    differs: { only: true, pieces: [refunded], joins: raw('cross join refund d') },
    action: 'updated',
  });
  return getRecord(tx, refundShape, accountId, row.id);
}

/** What was taken out of a lease's deposit since its ledger began: applied to what is owed, or given back. */
export function findDepositMoves(tx: Db, accountId: string, leaseId: string): Promise<DepositMove[]> {
  return tx.query<DepositMove>(sql`
    select m.day::text as date, m.amount_cents::float8 from (
      select credited_on as day, amount_cents from credits
      where account_id = ${accountId} and lease_id = ${leaseId} and reason = 'deposit' and voided_on is null
      union all
      select refunded_on, amount_cents from deposit_refunds
      where account_id = ${accountId} and lease_id = ${leaseId}) m
    join leases l on l.account_id = ${accountId} and l.id = ${leaseId} and m.day >= l.ledger_from`);
}
