import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { newRow } from '../../db/records/columns.ts';
import { notFound } from '../../errors.ts';
import { writing } from '../../events/writer.ts';
import { findLease } from '../leases.store.ts';
import type { DepositRefundInput } from './deposits.schema.ts';
import { depositRefunds, insertRefund } from './deposits.store.ts';
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
