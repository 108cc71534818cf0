import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { clock } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow, type WithId } from '../db/records/columns.ts';
import type { Writing } from '../events/writer.ts';
import { newId } from '../ids.ts';
import { lastTurned } from './account-clocks.ts';
import { type ChargeRow, charges } from './charges/charges.columns.ts';
import type { OwnVoidReason } from './charges/charges.schema.ts';
import {
  countAsChanged,
  tellCharges,
  tellNewCharges,
  voidCharges,
  writeCharges,
} from './charges/write-charges.ts';
import { type Charge, entriesOf, findEntries, type LeaseEntries } from './entries.store.ts';
import { type Policies, policiesFor } from './late-fee-policies.ts';
import { mostCharges, tooManyCharges } from './most-charges.ts';
import { addDays, daysBetween } from './rules/calendar.ts';
import { type LateFee, lateFees } from './rules/late-fees.ts';
import { replacementsOf } from './rules/replacement-of.ts';
import { openChargesOn, spansOf } from './rules/spans.ts';
import { type ChangedSpans, replaceSpans } from './spans.store.ts';

/** How many leases are recalculated at once. */
const atOnce = 200;

/**
 * Recalculates leases after their entries changed: missing late fees are charged, wrong ones are voided, and what is
 * open from which day to which is stored. `tell` records the events of the change itself, once that is known and before
 * those of the fees. Throws a 409 if one of the `growing` leases has too many charges.
 */
export async function recalculate<Told = void>(
  tx: Db,
  how: Writing,
  leaseIds: string[],
  tell?: () => Promise<Told>,
  growing: ReadonlySet<string> = new Set(),
): Promise<Told> {
  const fees = await recalculateQuietly(tx, how, leaseIds, { growing });
  const told = (await tell?.()) as Told;
  // The clock is always the actor of late fees, whoever happens to read or write first, because time makes them due.
  const byClock = { ...how, actor: clock };
  for (const { voided, made } of fees) {
    await tellCharges(tx, byClock, voided, 'charge.updated');
    await tellNewCharges(tx, byClock, made);
  }
  return told;
}

/** What changed in the late fees of some leases. */
interface FeeChange {
  /** The ids of charges. */
  voided: string[];
  made: WithId<ChargeRow>[];
}

interface HowFar {
  /** The last day of late fees, if it is not the last one that was turned. */
  through?: string;
  /** Makes the id of a fee that is due on a day. */
  idOn?: (day: string) => string;
  growing?: ReadonlySet<string>;
}

/** The same without events. */
export async function recalculateQuietly(
  tx: Db,
  how: Writing,
  leaseIds: string[],
  howFar: HowFar,
): Promise<FeeChange[]> {
  const fees: FeeChange[] = [];
  const ids = [...new Set(leaseIds)].sort();
  for (let at = 0; at < ids.length; at += atOnce)
    fees.push(await recalculateSome(tx, how, ids.slice(at, at + atOnce), howFar));
  return fees;
}

async function recalculateSome(
  tx: Db,
  how: Writing,
  leaseIds: string[],
  { through, idOn = newId, growing = new Set() }: HowFar,
): Promise<FeeChange> {
  const leases = await findEntries(tx, how.accountId, leaseIds, true);
  const policies = await policiesFor(tx, how.accountId, leaseIds);
  const last = through ?? (await lastTurned(tx, how));
  const voided = new Map<OwnVoidReason, string[]>();
  const made: WithId<ChargeRow>[] = [];
  const spans: ChangedSpans[] = [];
  for (const lease of leases) {
    // Lets the process answer other requests between two leases.
    await yieldToOthers();
    if (
      growing.has(lease.id) &&
      lease.charges.filter(({ source }) => source !== 'late_fee').length > mostCharges
    )
      throw tooManyCharges();
    const fees = feesOf(lease, policies, last, idOn);
    for (const { id, reason } of fees.voided) voided.set(reason, [...(voided.get(reason) ?? []), id]);
    made.push(...fees.made);
    const gone = new Set(fees.voided.map(({ id }) => id));
    const owed = [
      ...lease.charges.filter(({ id }) => !gone.has(id)),
      ...fees.made.map((fee): Charge => ({ ...fee, period: null })),
    ];
    const entries = entriesOf({ ...lease, charges: owed });
    spans.push({ leaseId: lease.id, before: lease.spans, after: spansOf(lease.id, entries) });
  }
  for (const [reason, ids] of voided) await voidCharges(tx, how, ids, { reason, byHand: false });
  if (made.length > 0) await writeCharges(tx, how, made);
  await replaceSpans(tx, how.accountId, spans);
  await countAsChanged(
    tx,
    how,
    spans.flatMap((changed) => paidOtherwise(changed, how.today)),
  );
  return { voided: [...voided.values()].flat(), made };
}

/** The charges whose open amount today has changed. */
function paidOtherwise({ before, after }: ChangedSpans, today: string): string[] {
  const [was, is] = [openChargesOn(before, today), openChargesOn(after, today)];
  return [...new Set([...was.keys(), ...is.keys()])].filter((id) => was.get(id) !== is.get(id));
}

interface Fees {
  voided: { id: string; reason: OwnVoidReason }[];
  made: WithId<ChargeRow>[];
}

/** The difference between the late fees that exist, up to a day, and those that should. */
export function feesOf(
  lease: LeaseEntries,
  policies: Policies,
  through: string,
  idOn: (day: string) => string = newId,
): Fees {
  const there = new Map<string, Charge>();
  for (const charge of lease.charges)
    if (charge.source === 'late_fee' && charge.due_on <= through) there.set(keyOf(charge), charge);
  const policyFor = policies(lease.id, lease.property_id);
  const foreign = lease.foreign_fees.map(({ id }): Fees['voided'][number] => ({
    id,
    reason: 'charge_voided',
  }));
  if (policyFor === null && there.size === 0) return { voided: foreign, made: [] };
  const waived = new Set(waivedIn(lease).map(keyOf));
  const existing = (fee: LateFee): Charge | undefined => {
    const charge = there.get(keyOf(fee));
    return charge?.amount_cents === fee.amount_cents ? charge : undefined;
  };
  const newIds = new Map<string, string>();
  const wanted = lateFees({
    entries: entriesOf({ ...lease, charges: lease.charges.filter(({ source }) => source !== 'late_fee') }),
    policyFor: policyFor ?? (() => null),
    through,
    isWaived: (late_fee_for, due_on) => waived.has(keyOf({ late_fee_for, due_on })),
    // A replaced fee comes after the other charges of its day.
    idOf(fee) {
      const id = existing(fee)?.id ?? idOn(fee.due_on);
      newIds.set(keyOf(fee), id);
      return id;
    },
  });
  const right = new Set<Charge>();
  const made: WithId<ChargeRow>[] = [];
  for (const fee of wanted) {
    const charge = existing(fee);
    if (charge) right.add(charge);
    else made.push({ ...rowOf(lease, fee), id: newIds.get(keyOf(fee)) ?? '' });
  }
  const rents = new Set(lease.charges.map(({ id }) => id));
  const again = new Set(made.map(keyOf));
  const voided = [...there.values()]
    .filter((charge) => !right.has(charge))
    .map((charge): Fees['voided'][number] => {
      const gone = !rents.has(charge.late_fee_for ?? '');
      return {
        id: charge.id,
        reason: gone ? 'charge_voided' : again.has(keyOf(charge)) ? 'amount_changed' : 'paid_in_time',
      };
    });
  return { voided: [...foreign, ...voided], made };
}

/**
 * The fees that a person voided. If the rent was replaced, these are the fees of the new rent, as many days after its
 * due day.
 */
function waivedIn({ charges, waived, replaced }: LeaseEntries): LeaseEntries['waived'] {
  const replacements = replacementsOf(charges, replaced);
  return waived.map((fee) => {
    const rent = replacements.get(fee.late_fee_for);
    if (rent === undefined) return fee;
    const due_on = addDays(fee.due_on, daysBetween(rent.voided.due_on, rent.charge.due_on));
    return { late_fee_for: rent.charge.id, due_on };
  });
}

const keyOf = ({ late_fee_for, due_on }: { late_fee_for: string | null; due_on: string }): string =>
  `${late_fee_for} ${due_on}`;

const rowOf = (lease: LeaseEntries, { late_fee_for, due_on, amount_cents }: LateFee): WithId<ChargeRow> =>
  newRow(charges, {
    lease_id: lease.id,
    kind: 'late_fee',
    amount_cents,
    due_on,
    source: 'late_fee',
    late_fee_for,
  });
