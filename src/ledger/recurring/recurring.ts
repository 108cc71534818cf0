import type { Caller } from '../../caller.ts';
import { changes } from '../../changes.ts';
import type { Db } from '../../db/connect.ts';
import { newRow } from '../../db/records/columns.ts';
import { refuseTaken } from '../../db/records/external-ids.ts';
import { findRows, updateRows } from '../../db/records/rows.ts';
import { getRecord } from '../../db/records/shape.ts';
import { refuseViolations } from '../../db/violations.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import { changeQuietly } from '../../events/record.ts';
import { writing } from '../../events/writer.ts';
import { keepDepositsCharged } from '../deposits/deposits-held.ts';
import { lockLease } from '../leases.store.ts';
import { reschedule } from '../posting/schedule.ts';
import { addDays } from '../rules/calendar.ts';
import { type RecurringRow, recurringCharges } from './recurring.columns.ts';
import type { RecurringChange, RecurringInput } from './recurring.schema.ts';
import * as store from './recurring.store.ts';

export { recurringShape } from './recurring.store.ts';

export function makeRecurring(db: Db, caller: Caller, input: RecurringInput, now: Date): Promise<string> {
  const { accountId } = caller;
  const how = writing(caller, now);
  const row = newRow(recurringCharges, { ...input, amount_changes: [], source: caller.source });
  checkEnd(row);
  return db.transaction(async (tx) => {
    await lockLease(tx, accountId, row.lease_id);
    await refuseTaken(tx, recurringCharges, accountId, [row]);
    await refuseViolations('recurring_charges', () =>
      changeQuietly(tx, {
        accountId,
        actor: caller.actor,
        shape: store.recurringShape(accountId, how.today),
        rows: store.insertRecurring(accountId, [row]),
        action: 'created',
      }),
    );
    await reschedule(tx, how, [row.lease_id]);
    return getRecord(tx, store.recurringShape(accountId, how.today), accountId, row.id);
  });
}

/** Ends a recurring charge, or changes it from a day on. Posted charges that no longer fit are replaced. */
export function changeRecurring(
  db: Db,
  caller: Caller,
  id: string,
  patch: RecurringChange,
  now: Date,
): Promise<string> {
  const { accountId } = caller;
  const how = writing(caller, now);
  return db.transaction(async (tx) => {
    const leaseId = await store.findLeaseOf(tx, accountId, id);
    if (leaseId === null) throw notFound();
    await lockLease(tx, accountId, leaseId);
    const [current] = await findRows(tx, recurringCharges, accountId, [id], true);
    if (current === undefined) throw notFound();
    const wanted = {
      ...(patch.ends_on === undefined ? {} : { ends_on: patch.ends_on }),
      ...(patch.memo === undefined ? {} : { memo: patch.memo }),
      ...(patch.external_id === undefined ? {} : { external_id: patch.external_id }),
      ...amountsOf(
        patch,
        current,
        (await store.findUnposted(tx, accountId, id)) ?? goesOnFrom(patch, current),
      ),
    };
    if (changes(current, wanted)) {
      const next = { ...current, ...wanted };
      checkEnd(next);
      await refuseTaken(tx, recurringCharges, accountId, [next], new Map([[id, current]]));
      await refuseViolations('recurring_charges', () =>
        changeQuietly(tx, {
          accountId,
          actor: caller.actor,
          shape: store.recurringShape(accountId, how.today),
          rows: updateRows(recurringCharges, accountId, [next], now),
          ids: [id],
          action: 'updated',
        }),
      );
      await keepDepositsCharged(tx, how, [leaseId], () => reschedule(tx, how, [leaseId]));
    }
    return getRecord(tx, store.recurringShape(accountId, how.today), accountId, id);
  });
}

function checkEnd({ starts_on, ends_on }: Pick<RecurringRow, 'starts_on' | 'ends_on'>): void {
  if (ends_on !== null && ends_on < starts_on)
    throw invalidField('ends_on', 'Must not be before `starts_on`.');
}

/** A recurring charge that had ended and now ends later continues after its last day. */
const goesOnFrom = ({ ends_on: next }: RecurringChange, { ends_on: last }: RecurringRow): string | null =>
  last !== null && (next === null || (next !== undefined && next > last)) ? addDays(last, 1) : null;

/** The amounts, with a new one from a day on. It replaces changes that were planned for later days. */
function amountsOf(
  { amount_cents, from }: RecurringChange,
  { starts_on, amount_changes }: RecurringRow,
  unposted: string | null,
): Partial<RecurringRow> {
  if (amount_cents === undefined) {
    if (from !== undefined) throw invalidField('amount_cents', 'Must be given with `from`.');
    return {};
  }
  const day = from ?? unposted;
  if (day === null) throw conflict('recurring_charge_ended', 'It has ended; nothing is charged after today.');
  if (day <= starts_on) return { amount_cents, amount_changes: [] };
  const kept = amount_changes.filter((change) => change.from < day);
  return { amount_changes: [...kept, { from: day, amount_cents }] };
}
