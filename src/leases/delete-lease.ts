import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { deleteRecord } from '../deletion/delete-record.ts';
import { conflict } from '../errors.ts';
import { forgetLedger } from '../ledger/deletion/forget-ledger.ts';
import { lockBeforeWriting, tellAfterWriting } from './derived.ts';
import { leases } from './leases.columns.ts';
import { findLeases, leaseShape, referringToLease } from './leases.store.ts';

/** Deletes a lease that no money was booked on. Its unit and its tenants then show what they did before it. */
export const deleteLease = (db: Db, caller: Caller, id: string, now: Date): Promise<string> =>
  deleteRecord(db, caller, id, now, {
    table: leases,
    shape: leaseShape,
    one: 'lease',
    referring: referringToLease,
    instead: 'End it instead.',
    async takeAlong(tx, how) {
      const written = await findLeases(tx, how.accountId, [id], true);
      if (written.some(({ opening_balance_cents }) => opening_balance_cents !== 0))
        throw conflict(
          'opening_balance',
          'This lease has an opening balance, so it cannot be deleted. End it instead.',
        );
      const before = await lockBeforeWriting(tx, how, written);
      await forgetLedger(tx, how, id);
      return () => tellAfterWriting(tx, how, [], before);
    },
  });
