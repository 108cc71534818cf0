import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { newRow } from '../../db/records/columns.ts';
import { conflict, notFound } from '../../errors.ts';
import { writing } from '../../events/writer.ts';
import { findLease, lockLease } from '../leases.store.ts';
import type { DepositRefundInput } from './deposits.schema.ts';
import { depositRefunds, findRefund, insertRefund, updateVoided } from './deposits.store.ts';
import { refuseMoreThanHeld } from './deposits-held.ts';

export { listRefunds, refundShape } from './deposits.store.ts';

/** Records a refund of a deposit. It does not change what the lease owes. */
export function refundDeposit(
  db: Db,
  caller: Caller,
  leaseId: string,
  input: DepositRefundInput,
  now: Date,
): Promise<string> {
  const how = writing(caller, now);
  const row = newRow(depositRefunds, {
    ...input,
    lease_id: leaseId,
    refunded_on: input.refunded_on ?? how.today,
    source: caller.source,
  });
  return db.transaction(async (tx) => {
    if ((await findLease(tx, caller.accountId, leaseId, { lock: true })) === undefined) throw notFound();
    await refuseMoreThanHeld(tx, how, leaseId, row.amount_cents, row.refunded_on);
    return insertRefund(tx, caller, row);
  });
}

/** Voids a refund that was recorded by mistake: it stays visible, and the money is held again. */
export function voidRefund(db: Db, caller: Caller, id: string, reason: string, now: Date): Promise<string> {
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    const found = await findRefund(tx, accountId, id);
    if (found === undefined) throw notFound();
    await lockLease(tx, accountId, found.lease_id);
    if ((await findRefund(tx, accountId, id))?.voided)
      throw conflict('already_voided', 'This refund has already been voided.');
    const on = writing(caller, now).today;
    return updateVoided(tx, caller, found.lease_id, id, { reason, on, now });
  });
}
