import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import type { WithId } from '../db/records/columns.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { changeRecord, writing } from '../events/writer.ts';
import { previewTerms } from '../ledger/previews/change-preview.ts';
import { addDays, nextMonth } from '../ledger/rules/calendar.ts';
import type { LeaseRow } from './leases.columns.ts';
import type { Renewal } from './leases.schema.ts';
import { findLeases, lockUnits, overlaps } from './leases.store.ts';
import { checkDates, leaseOverlap, leaseWriter } from './leases.ts';

/** Renews a lease: the same lease and ledger continue, to a later day or without an end, perhaps with a new rent. */
export function renewLease(db: Db, caller: Caller, id: string, renewal: Renewal, now: Date): Promise<string> {
  const how = writing(caller, now);
  const patch = (current: WithId<LeaseRow>) => renewed(current, renewal, how.today);
  return changeRecord(db, leaseWriter, how, id, patch, async (tx, next) => {
    checkDates(next);
    await lockUnits(tx, caller.accountId, [next.unit_id]);
  });
}

/** What the renewal would charge, as JSON. */
export async function previewRenewal(
  db: Db,
  caller: Caller,
  id: string,
  renewal: Renewal,
  now: Date,
): Promise<string> {
  const how = writing(caller, now);
  const lease = await getLease(db, how.accountId, id);
  const next = { ...lease, ...renewed(lease, renewal, how.today) };
  const until = next.end_date === null ? null : addDays(next.end_date, 1);
  await refuseDates(db, how.accountId, next, until);
  return previewTerms(db, how, id, { until, rent_changes: next.rent_changes });
}

/** What ending the lease on a day would void and charge, as JSON. */
export async function previewEnd(
  db: Db,
  caller: Caller,
  id: string,
  endedOn: string,
  now: Date,
): Promise<string> {
  const lease = await getLease(db, caller.accountId, id);
  await refuseDates(db, caller.accountId, { ...lease, ended_on: endedOn }, endedOn);
  return previewTerms(db, writing(caller, now), id, { until: endedOn });
}

/** Throws what the change itself would throw because of its dates. */
async function refuseDates(
  db: Db,
  accountId: string,
  next: WithId<LeaseRow>,
  until: string | null,
): Promise<void> {
  checkDates(next);
  if (await overlaps(db, accountId, next, until)) throw leaseOverlap();
}

async function getLease(db: Db, accountId: string, id: string): Promise<WithId<LeaseRow>> {
  const [lease] = await findLeases(db, accountId, [id], false);
  if (lease === undefined) throw notFound();
  return lease;
}

/** A renewal takes back the notice, and changes the rent from its first day on. */
function renewed(lease: LeaseRow, { end_date, rent_cents, from }: Renewal, today: string) {
  if (lease.ended_on !== null)
    throw conflict('lease_ended', 'This lease was ended; take `ended_on` back first, or make a new lease.');
  const first = from ?? (lease.end_date === null ? nextMonth(today) : addDays(lease.end_date, 1));
  if (end_date !== null && end_date < first)
    throw invalidField('end_date', `Must not be before ${first}, from which the lease is renewed.`);
  if (end_date !== null && lease.end_date !== null && end_date < lease.end_date)
    throw invalidField('end_date', `Must not be before ${lease.end_date}, the end that the lease has.`);
  if ((from ?? rent_cents) !== undefined && first <= lease.start_date)
    throw invalidField('from', 'Must be after the first day of the lease, `start_date`.');
  const kept = lease.rent_changes.filter((change) => change.from < first);
  return {
    end_date,
    notice_given_on: null,
    rent_changes: rent_cents === undefined ? lease.rent_changes : [...kept, { from: first, rent_cents }],
  };
}
