import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { newRow, type WithId } from '../../db/records/columns.ts';
import { refuseTaken } from '../../db/records/external-ids.ts';
import { findRows } from '../../db/records/rows.ts';
import { refuseViolations } from '../../db/violations.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import { recordRows, type Writer, type Writing, writing } from '../../events/writer.ts';
import { refuseMoreThanHeld } from '../deposits/deposits-held.ts';
import { findChargeOf, lockLease } from '../leases.store.ts';
import { recalculate } from '../recalculate.ts';
import { type CreditRow, credits } from './credits.columns.ts';
import type { CreditInput } from './credits.schema.ts';
import * as store from './credits.store.ts';

export function giveCredit(db: Db, caller: Caller, input: CreditInput, now: Date): Promise<string> {
  const how = writing(caller, now);
  const row = newRow(credits, {
    ...input,
    credited_on: input.credited_on ?? how.today,
    source: caller.source,
  });
  return db.transaction(async (tx) => {
    await lockLease(tx, caller.accountId, row.lease_id);
    await checkCredit(tx, how, row);
    const [json] = await addCredits(tx, how, [row]);
    return json as string;
  });
}

/** The lease must already be locked. */
async function checkCredit(tx: Db, how: Writing, row: CreditRow): Promise<void> {
  const { lease_id, charge_id } = row;
  if (charge_id !== null) {
    const charge = await findChargeOf(tx, how.accountId, lease_id, charge_id);
    if (charge === undefined) throw invalidField('charge_id', 'Must be a charge of this lease.');
    if (charge.voided) throw conflict('already_voided', 'The charge that it should pay is voided.');
  }
  if (row.reason === 'deposit')
    await refuseMoreThanHeld(tx, how, lease_id, row.amount_cents, row.credited_on);
}

/** Adds credits to leases that are already locked. Returns their JSON. */
async function addCredits(tx: Db, how: Writing, rows: WithId<CreditRow>[]): Promise<string[]> {
  await refuseTaken(tx, credits, how.accountId, rows);
  const json = await refuseViolations('credits', () =>
    recordRows(tx, how, {
      shape: store.creditShape,
      rows: store.insertCredits(how.accountId, rows),
      count: rows.length,
      events: ['credit.created'],
    }),
  );
  await recalculate(
    tx,
    how,
    rows.map(({ lease_id }) => lease_id),
  );
  return json;
}

export function voidCredit(db: Db, caller: Caller, id: string, reason: string, now: Date): Promise<string> {
  const how = writing(caller, now);
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    const leaseId = await store.findLeaseOf(tx, accountId, id);
    if (leaseId === null) throw notFound();
    await lockLease(tx, accountId, leaseId);
    if (await store.isVoided(tx, accountId, id))
      throw conflict('already_voided', 'This credit has already been voided.');
    const [json] = await recordRows(tx, how, {
      shape: store.creditShape,
      rows: store.updateVoided(accountId, id, { reason, on: how.today, now }),
      ids: [id],
      events: ['credit.updated'],
    });
    await recalculate(tx, how, [leaseId]);
    return json as string;
  });
}

/** For imports, which never change an existing credit. */
export const creditWriter: Writer<CreditRow> = {
  shape: () => store.creditShape,
  find: (db, accountId, ids, lock) => findRows(db, credits, accountId, ids, lock),
  async add(tx, how, rows) {
    const json: string[] = [];
    // One after the other, because each leaves less of the deposit for the next.
    const deposits = rows.filter(({ reason }) => reason === 'deposit');
    const others = rows.filter(({ reason }) => reason !== 'deposit');
    for (const row of others) await checkCredit(tx, how, row);
    if (others.length > 0) json.push(...(await addCredits(tx, how, others)));
    for (const row of deposits) {
      await lockLease(tx, how.accountId, row.lease_id);
      await checkCredit(tx, how, row);
      json.push(...(await addCredits(tx, how, [row])));
    }
    return json;
  },
  change: async () => [],
};
