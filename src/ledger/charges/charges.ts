import type { Caller } from '../../caller.ts';
import type { Db } from '../../db/connect.ts';
import { inOrderOf, newRow, type WithId } from '../../db/records/columns.ts';
import { findRows } from '../../db/records/rows.ts';
import { conflict, notFound } from '../../errors.ts';
import { type Writer, type Writing, writing } from '../../events/writer.ts';
import { keepDepositsCharged } from '../deposits/deposits-held.ts';
import { lockLease, lockLeases } from '../leases.store.ts';
import { reschedule } from '../posting/schedule.ts';
import { recalculate } from '../recalculate.ts';
import { type ChargeRow, charges } from './charges.columns.ts';
import type { ChargeInput } from './charges.schema.ts';
import { chargeShape, findLeaseOf, lockCharge } from './charges.store.ts';
import { tellCharges, tellNewCharges, voidCharges, writeCharges } from './write-charges.ts';

export { findDeposits } from './charges.store.ts';

export async function makeCharge(db: Db, caller: Caller, input: ChargeInput, now: Date): Promise<string> {
  const [json] = await makeCharges(db, caller, [input], now);
  return json as string;
}

/** Makes all charges, or none if one is refused. Returns their JSON in the same order. */
export function makeCharges(db: Db, caller: Caller, inputs: ChargeInput[], now: Date): Promise<string[]> {
  const rows = inputs.map((input) => newRow(charges, { ...input, source: caller.source }));
  return db.transaction(async (tx) => {
    const leases = rows.map(({ lease_id }) => lease_id);
    await lockLeases(tx, caller.accountId, leases);
    return inOrderOf(charges, rows, await addCharges(tx, writing(caller, now), rows));
  });
}

/** Adds charges to leases that are already locked. Returns their JSON. */
async function addCharges(tx: Db, how: Writing, rows: WithId<ChargeRow>[]): Promise<string[]> {
  await writeCharges(tx, how, rows);
  const leases = rows.map(({ lease_id }) => lease_id);
  return recalculate(tx, how, leases, () => tellNewCharges(tx, how, rows), new Set(leases));
}

/** Voids a charge: it stays visible but no longer counts. */
export const voidCharge = (db: Db, caller: Caller, id: string, reason: string, now: Date): Promise<string> =>
  db.transaction((tx) => takeBackCharge(tx, writing(caller, now), id, reason));

/** The same as a part of something larger, such as an import. */
export async function takeBackCharge(tx: Db, how: Writing, id: string, reason: string): Promise<string> {
  const { accountId } = how;
  const leaseId = await findLeaseOf(tx, accountId, id);
  if (leaseId === null) throw notFound();
  // The lease is locked first, as for every recalculation.
  await lockLease(tx, accountId, leaseId);
  const charge = await lockCharge(tx, accountId, id);
  if (charge?.voided_on !== null) throw conflict('already_voided', 'This charge has already been voided.');
  const voidIt = async () => {
    await voidCharges(tx, how, [id], { reason, byHand: true });
    // Without the rent that a person made, the lease charges its own again.
    const workOut = charge?.replaces ? reschedule : recalculate;
    const [json] = await workOut(tx, how, [leaseId], () => tellCharges(tx, how, [id], 'charge.updated'));
    return json as string;
  };
  return charge?.kind === 'deposit' ? keepDepositsCharged(tx, how, [leaseId], voidIt) : voidIt();
}

/** For imports, which never change an existing charge. */
export const chargeWriter: Writer<ChargeRow> = {
  shape: chargeShape,
  find: (db, accountId, ids, lock) => findRows(db, charges, accountId, ids, lock),
  add: addCharges,
  change: async () => [],
};
