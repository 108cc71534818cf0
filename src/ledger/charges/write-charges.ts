import type { Db } from '../../db/connect.ts';
import type { WithId } from '../../db/records/columns.ts';
import { refuseTaken } from '../../db/records/external-ids.ts';
import type { Computed } from '../../db/records/rows.ts';
import { refuseViolations } from '../../db/violations.ts';
import { conflict } from '../../errors.ts';
import type { SubscribableEvent } from '../../events/catalogue.ts';
import { recordRows, type Writing } from '../../events/writer.ts';
import { hasTurned } from '../account-clocks.ts';
import { markChanged } from '../marks.ts';
import { type ChargeRow, charges } from './charges.columns.ts';
import type { OwnVoidReason } from './charges.schema.ts';
import * as store from './charges.store.ts';

/* Charges are written first. Their events are recorded later, when their open amounts are known. */

/** Returns the rows that were written: all of them, unless existing ones may be skipped. */
export async function writeCharges(
  tx: Db,
  how: Writing,
  rows: WithId<ChargeRow>[],
  { unlessThere = false, changing }: { unlessThere?: boolean } & Pick<Computed, 'changing'> = {},
): Promise<WithId<ChargeRow>[]> {
  await refuseTaken(tx, charges, how.accountId, rows);
  const insert = store.insertCharges(how.accountId, rows, how.today, { unlessThere, changing });
  const written = await refuseViolations('charges', () => tx.query<{ id: string }>(insert), {
    charges_rent_unique: () =>
      conflict('rent_already_charged', 'This lease is already charged rent for that month; void that first.'),
  });
  const ids = new Set(written.map(({ id }) => id));
  return rows.filter(({ id }) => ids.has(id));
}

/** Writes charges that are not due yet and their events in one statement. Existing ones stay. */
export async function postUpcoming(tx: Db, how: Writing, rows: WithId<ChargeRow>[]): Promise<void> {
  await recordRows(tx, how, {
    shape: store.chargeShape(how.accountId, how.today),
    rows: store.insertCharges(how.accountId, rows, how.today, { unlessThere: true }),
    count: rows.length,
    events: ['charge.created'],
    answered: false,
    also: markChanged(how.accountId, store.dueDaysOfChanged),
  });
}

/** A person gives a reason; the service has fixed ones. */
type Voiding = { reason: string; byHand: true } | { reason: OwnVoidReason; byHand: false };

export const voidCharges = (tx: Db, how: Writing, ids: string[], voiding: Voiding): Promise<unknown> =>
  tx.query(store.updateVoided(how.accountId, ids, { ...voiding, on: how.today, now: how.now }));

/**
 * Marks charges as changed if their open amount has changed, so that readers of `updated_since` see them again. There
 * is no event, because the payment or the credit had one.
 */
export async function countAsChanged(tx: Db, how: Writing, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.query(store.updateChanged(how.accountId, ids, how.now));
}

/** Records events for charges written earlier in the transaction. Returns their JSON, ordered by id. */
export async function tellCharges(
  tx: Db,
  how: Writing,
  ids: string[],
  ...events: SubscribableEvent[]
): Promise<string[]> {
  if (ids.length === 0) return [];
  const shape = events[0] === 'charge.created' ? store.newChargeShape : store.chargeShape;
  return recordRows(tx, how, {
    shape: shape(how.accountId, how.today),
    rows: store.selectCharges(how.accountId, ids),
    count: ids.length,
    events,
    // A charge is voided before its event is recorded, and nothing else about it ever changes.
    ...(events[0] === 'charge.updated' && { differs: { only: true, pieces: store.howVoided } }),
  });
}

/**
 * Records events for new charges. For those due today it also records `charge.due`, if the clock has already turned
 * today.
 */
export async function tellNewCharges(tx: Db, how: Writing, rows: WithId<ChargeRow>[]): Promise<string[]> {
  const today = rows.filter(({ due_on }) => due_on === how.today).map(({ id }) => id);
  const due = new Set(
    today.length > 0 && (await hasTurned(tx, how.accountId, how.today))
      ? await store.findOpen(tx, how.accountId, today, how.today)
      : [],
  );
  const json = await tellCharges(tx, how, [...due], 'charge.created', 'charge.due');
  const others = rows.filter(({ id }) => !due.has(id)).map(({ id }) => id);
  return [...json, ...(await tellCharges(tx, how, others, 'charge.created'))];
}
