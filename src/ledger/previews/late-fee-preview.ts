import type { Db } from '../../db/connect.ts';
import { formatId } from '../../ids.ts';
import { decimalText } from '../../money.ts';
import { findEntries } from '../entries.store.ts';
import { findLate, type LateLease } from '../freshen.store.ts';
import { policiesFor } from '../late-fee-policies.ts';
import { feesOf } from '../recalculate.ts';
import { addDays, later } from '../rules/calendar.ts';

/** How many leases are handled at once. */
const atOnce = 200;

/**
 * The late fees that would be charged up to a day if nothing more were paid. Rent that is posted ahead may fall due and
 * be late by then. Nothing is written.
 */
export async function previewLateFees(
  db: Db,
  accountId: string,
  today: string,
  asOf: string,
): Promise<object[]> {
  const fees: object[] = [];
  const days = { from: today, to: later(today, addDays(asOf, -1)), dueOn: null };
  let after: string | null = null;
  for (;;) {
    const late: LateLease[] = await findLate(db, accountId, days, after, atOnce);
    const ids = late.map(({ id }) => id);
    if (ids.length === 0) return fees;
    const policies = await policiesFor(db, accountId, ids);
    for (const lease of await findEntries(db, accountId, ids, false))
      for (const { late_fee_for, due_on, amount_cents } of feesOf(lease, policies, asOf).made)
        fees.push({
          lease_id: formatId('lease', lease.id),
          late_fee_for: formatId('chg', late_fee_for ?? ''),
          due_on,
          amount_cents,
          amount: decimalText(amount_cents, lease.currency),
          currency: lease.currency,
        });
    after = ids.at(-1) ?? null;
  }
}
