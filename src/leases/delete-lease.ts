import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { deleteRecord } from '../deletion/delete-record.ts';
import { conflict } from '../errors.ts';
import { forgetLedger } from '../ledger/deletion/forget-ledger.ts';
import { lockBeforeWriting, tellAfterWriting } from './derived.ts';
import { leases } from './leases.columns.ts';
import { findLeases, leaseShape, movedTenants, referringToLease } from './leases.store.ts';

/** Deletes a lease without bookings. Its unit and its tenants then have the status that they would have without it. */
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
      // If its tenants are erased later, they are found through its history.
      const unnamed = written.map((lease) => ({ ...lease, tenant_ids: [] }));
      return {
        differs: { pieces: [movedTenants(unnamed, new Map(written.map((lease) => [lease.id, lease])))] },
        tell: () => tellAfterWriting(tx, how, [], before),
      };
    },
  });
