import type { Db } from '../../db/connect.ts';
import { newRow, type WithId } from '../../db/records/columns.ts';
import type { Writing } from '../../events/writer.ts';
import { type ChargeRow, charges } from '../charges/charges.columns.ts';
import type { ChargeKind } from '../charges/charges.schema.ts';
import {
  postUpcoming,
  tellCharges,
  tellNewCharges,
  voidCharges,
  writeCharges,
} from '../charges/write-charges.ts';
import { mostCharges, tooManyCharges } from '../most-charges.ts';
import { recalculate } from '../recalculate.ts';
import { addDays, endOfTime, later } from '../rules/calendar.ts';
import { recurrences } from '../rules/recurrence.ts';
import { type Occasion, occasionOf } from '../rules/replacement-of.ts';
import { scheduledCharges } from '../rules/schedule.ts';
import {
  findPosted,
  findTakenBack,
  findTerms,
  type NextCharge,
  type NextRecurring,
  type PostedCharge,
  postDaysOf,
  readDueLeases,
  type ScheduledLease,
  setNextCharges,
} from './schedule.store.ts';

/** How many leases are posted at once, so that memory stays flat however many there are. */
const atOnce = 500;

/**
 * Adjusts the charges of leases after their terms changed: those that no longer fit are voided, missing ones are made,
 * and the others stay untouched. What a person voided is not made again. `tell` records the events of the change
 * itself, before those of its charges.
 */
export async function reschedule<Told = void>(
  tx: Db,
  how: Writing,
  leaseIds: string[],
  tell?: () => Promise<Told>,
): Promise<Told> {
  const through = addDays(how.today, await postDaysOf(tx, how.accountId));
  const leases = await findTerms(tx, how.accountId, leaseIds);
  const posted = Map.groupBy(await findPosted(tx, how.accountId, leaseIds), ({ lease_id }) => lease_id);
  const plan: Plan = { made: [], next: { leases: [], recurring: [] } };
  const wrong: string[] = [];
  const growing = new Set<string>();
  for (const lease of leases) {
    const changes = planChanges(lease, posted.get(lease.id) ?? [], through);
    wrong.push(...changes.wrong.map(({ id }) => id));
    plan.made.push(...changes.made);
    if (changes.made.length > changes.wrong.length) growing.add(lease.id);
    const { next } = scheduleOf(lease, through);
    plan.next.leases.push(next.lease);
    plan.next.recurring.push(...next.recurring);
  }
  if (wrong.length > 0) await voidCharges(tx, how, wrong, { reason: 'schedule_changed', byHand: false });
  if (plan.made.length > 0) await writeCharges(tx, how, plan.made);
  await setNextCharges(tx, how.accountId, plan.next);
  return recalculate(
    tx,
    how,
    leaseIds,
    async () => {
      const told = (await tell?.()) as Told;
      await tellCharges(tx, how, wrong, 'charge.updated');
      await tellNewCharges(tx, how, plan.made);
      return told;
    },
    growing,
  );
}

/** The charges of a lease that do not fit its terms, and those that are missing up to a day. */
export function planChanges(
  lease: ScheduledLease,
  there: PostedCharge[],
  through: string,
): { wrong: PostedCharge[]; made: WithId<ChargeRow>[] } {
  // Charges that were posted further ahead than is usual now stay, as long as they are right.
  const scheduled = there.filter((charge) => charge.scheduled);
  const last = scheduled.reduce((latest, { due_on }) => later(latest, due_on), through);
  const { charges: due } = scheduleOf(lease, last, { most: there.length + mostCharges });
  const right = new Set(due.map(sameCharge));
  const fits = (charge: PostedCharge) =>
    !charge.scheduled || (charge.currency === lease.currency && right.has(sameCharge(charge)));
  const taken = new Set(there.filter(fits).map(occasionOf));
  return {
    wrong: there.filter((charge) => !fits(charge)),
    made: due.filter((charge) => charge.due_on <= through && !taken.has(occasionOf(charge))),
  };
}

/**
 * Posts the scheduled charges of all leases of an account that are due up to a day. Charges that are not due yet affect
 * no balance, so their events are recorded with them, and they are recalculated later (freshen.ts).
 */
export async function postScheduled(tx: Db, how: Writing, through: string): Promise<void> {
  for await (const made of eachUnposted(tx, how.accountId, through)) {
    const upcoming = made.filter(({ due_on }) => due_on > how.today);
    const due = made.filter(({ due_on }) => due_on <= how.today);
    if (upcoming.length > 0) await postUpcoming(tx, how, upcoming);
    if (due.length > 0) {
      const written = await writeCharges(tx, how, due, { unlessThere: true });
      const leases = due.map(({ lease_id }) => lease_id);
      await recalculate(tx, how, leases, () => tellNewCharges(tx, how, written));
    }
  }
}

/**
 * The scheduled charges up to a day that are not posted yet, of some leases after the other. When the caller has
 * written them and asks for more, it is noted when these leases charge next.
 */
export async function* eachUnposted(
  tx: Db,
  accountId: string,
  through: string,
): AsyncGenerator<WithId<ChargeRow>[]> {
  for await (const ids of readDueLeases(tx, accountId, through, atOnce)) {
    const leases = await findUnposted(tx, accountId, ids, through);
    yield leases.flatMap(({ charges }) => charges);
    await setNextCharges(tx, accountId, {
      leases: leases.map(({ next }) => next.lease),
      recurring: leases.flatMap(({ next }) => next.recurring),
    });
  }
}

interface Plan {
  made: WithId<ChargeRow>[];
  next: { leases: NextCharge[]; recurring: NextRecurring[] };
}

/**
 * Charges of leases up to a day that are not posted yet. What a person voided is not made again for another day after
 * the lease has been moved.
 */
export async function findUnposted(
  db: Db,
  accountId: string,
  leaseIds: string[],
  through: string,
): Promise<LeaseSchedule[]> {
  const takenBack = new Set((await findTakenBack(db, accountId, leaseIds)).map(ofLease));
  return (await findTerms(db, accountId, leaseIds)).map((lease) => {
    const { charges: due, next } = scheduleOf(lease, through, { onlyNew: true });
    return { charges: due.filter((charge) => !takenBack.has(ofLease(charge))), next };
  });
}

/** What a lease charges up to a day. */
export const dueCharges = (lease: ScheduledLease, through: string): WithId<ChargeRow>[] =>
  scheduleOf(lease, through).charges;

interface LeaseSchedule {
  charges: WithId<ChargeRow>[];
  next: { lease: NextCharge; recurring: NextRecurring[] };
}

/**
 * Everything that a lease charges up to a day, or only what has not been posted yet, and when it charges next. Throws a
 * 409 beyond `most`.
 */
function scheduleOf(
  lease: ScheduledLease,
  through: string,
  { onlyNew, most = Number.POSITIVE_INFINITY }: { onlyNew?: boolean; most?: number } = {},
): LeaseSchedule {
  const row = (fields: { kind: ChargeKind; due_on: string; amount_cents: number } & Partial<ChargeRow>) =>
    newRow(charges, { lease_id: lease.id, source: 'schedule', ...fields });
  const begin = (next: string | null) => (onlyNew ? (next ?? endOfTime) : lease.ledger_from);
  const rents = scheduledCharges(lease, through, begin(lease.next_charge_on));
  const made = rents.charges.map((charge) => row(charge));
  const last = lease.until === null ? null : addDays(lease.until, -1);
  const recurring = lease.recurring.map(({ id, kind, memo, next_charge_on, ...terms }): NextRecurring => {
    const from = later(begin(next_charge_on), later(lease.ledger_from, lease.start_date));
    const due = recurrences(terms, { from, through, last });
    if (made.length + due.charges.length > most) throw tooManyCharges();
    for (const charge of due.charges)
      made.push(row({ ...charge, kind: kind as ChargeKind, memo, recurring_charge_id: id }));
    return { id, next_charge_on: due.next, currency: lease.currency };
  });
  return { charges: made, next: { lease: { id: lease.id, next_charge_on: rents.next }, recurring } };
}

const ofLease = (charge: Occasion & { lease_id: string }): string =>
  `${charge.lease_id} ${occasionOf(charge)}`;

const sameCharge = (charge: Occasion & Pick<PostedCharge, 'amount_cents'>): string =>
  `${occasionOf(charge)} ${charge.due_on} ${charge.amount_cents}`;
