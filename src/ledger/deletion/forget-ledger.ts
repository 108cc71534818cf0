import type { Db } from '../../db/connect.ts';
import { raw, sql } from '../../db/sql.ts';
import { forgetImportKeys } from '../../deletion/delete-record.ts';
import { changedField } from '../../events/history.ts';
import { changeQuietly } from '../../events/record.ts';
import type { Writing } from '../../events/writer.ts';
import { formatId } from '../../ids.ts';
import { chargeShape } from '../charges/charges.store.ts';
import { tellCharges, voidCharges } from '../charges/write-charges.ts';
import { deletePolicies } from '../late-fee-policies.store.ts';
import { recurringShape } from '../recurring/recurring.store.ts';
import * as store from './forget-ledger.store.ts';

/**
 * Deletes a lease's schedule and the charges that it made itself, before the lease is deleted. Charges that are not
 * voided yet are voided first, with an event, because other systems may have copies of them.
 */
export async function forgetLedger(tx: Db, how: Writing, leaseId: string): Promise<void> {
  const { accountId, actor, today } = how;
  const charges = await store.findCharges(tx, accountId, leaseId);
  const ids = charges.map(({ id }) => id);
  const standing = charges.filter(({ voided }) => !voided).map(({ id }) => id);
  if (standing.length > 0) {
    await voidCharges(tx, how, standing, { reason: 'lease_deleted', byHand: false });
    await tellCharges(tx, how, standing, 'charge.updated');
  }
  const deleted = { accountId, actor, action: 'deleted' };
  const ofLease = {
    pieces: [changedField('lease_id', sql`${JSON.stringify(formatId('lease', leaseId))}`, raw("'null'"))],
  };
  if (ids.length > 0) {
    await forgetImportKeys(tx, accountId, 'charge', ids);
    await changeQuietly(tx, {
      ...deleted,
      shape: chargeShape(accountId, today),
      rows: store.deleteCharges(accountId, leaseId),
      count: ids.length,
      differs: ofLease,
    });
  }
  const recurring = await store.countRecurring(tx, accountId, leaseId);
  if (recurring > 0)
    await changeQuietly(tx, {
      ...deleted,
      shape: recurringShape(accountId, today),
      rows: store.deleteRecurring(accountId, leaseId),
      count: recurring,
      differs: ofLease,
    });
  await deletePolicies(tx, accountId, 'lease', leaseId);
  await store.deleteDerived(tx, accountId, leaseId);
}
