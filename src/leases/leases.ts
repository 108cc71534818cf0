import type { Caller } from '../caller.ts';
import { changes, merged } from '../changes.ts';
import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { findRecord, type Page } from '../db/list.ts';
import { refuseViolations } from '../db/violations.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { recordOne } from '../events/record.ts';
import { idTime, newId } from '../ids.ts';
import type { PageBounds } from '../paging.ts';
import type { LeaseChange, LeaseFilter, LeaseInput } from './leases.schema.ts';
import * as store from './leases.store.ts';

export const refusals = {
  leases_no_overlap: () =>
    conflict(
      'The unit already has a lease in this time; end that one first, or choose dates that do not overlap.',
    ),
};

export function makeLease(db: Db, caller: Caller, input: LeaseInput, now: Date): Promise<string> {
  const { accountId } = caller;
  const id = newId();
  const row: store.LeaseRow = {
    tenant_ids: input.tenant_ids,
    start_date: input.start_date,
    end_date: input.end_date ?? null,
    rent_cents: input.rent_cents,
    deposit_cents: input.deposit_cents ?? null,
    currency: input.currency ?? caller.currency,
    due_day: input.due_day,
    notice_given_on: input.notice_given_on ?? null,
    ended_on: input.ended_on ?? null,
  };
  checkDates(row);
  return db.transaction(async (tx) => {
    if (!(await store.lockUnit(tx, accountId, input.unit_id)))
      throw invalidField('unit_id', 'There is no unit with this id here.');
    // Before the insert, whose refusal is about the unit's other leases: first what is wrong with the body.
    if (!(await store.hasTenants(tx, accountId, row.tenant_ids)))
      throw invalidField('tenant_ids', 'There is no tenant with one of these ids here.');
    await refuseViolations(
      'leases',
      () => store.insertLease(tx, accountId, id, input.unit_id, row, idTime(id)),
      refusals,
    );
    await store.insertLeaseTenants(tx, accountId, id, row.tenant_ids);
    const json = await recordOne(tx, {
      accountId,
      shape: store.leaseShape(dateOf(now)),
      rows: store.selectLease(accountId, id),
      events: row.ended_on === null ? ['lease.created'] : ['lease.created', 'lease.ended'],
    });
    return json ?? getLease(tx, accountId, id, now);
  });
}

/** Changes a lease: its terms, notice given, or its end. */
export function changeLease(
  db: Db,
  accountId: string,
  id: string,
  patch: LeaseChange,
  now: Date,
): Promise<string> {
  return db.transaction(async (tx) => {
    const current = await store.findLeaseForChange(tx, accountId, id);
    if (!current) throw notFound();
    if (!changes(current, patch)) return getLease(tx, accountId, id, now);
    const next = merged(current, patch);
    checkDates(next);
    await store.lockUnit(tx, accountId, current.unit_id);
    // The tenants first: the record's JSON names them, and a statement does not see its own inserts.
    if (patch.tenant_ids !== undefined) await replaceTenants(tx, accountId, id, next.tenant_ids);
    const ended = next.ended_on !== null && next.ended_on !== current.ended_on;
    const json = await refuseViolations(
      'leases',
      () =>
        recordOne(tx, {
          accountId,
          shape: store.leaseShape(dateOf(now)),
          rows: store.updateLease(accountId, id, next, now),
          events: ended ? ['lease.updated', 'lease.ended'] : ['lease.updated'],
        }),
      refusals,
    );
    return json ?? getLease(tx, accountId, id, now);
  });
}

async function replaceTenants(tx: Db, accountId: string, id: string, tenantIds: string[]): Promise<void> {
  await store.deleteLeaseTenants(tx, accountId, id);
  await refuseViolations('lease_tenants', () => store.insertLeaseTenants(tx, accountId, id, tenantIds));
}

type Dates = Pick<LeaseChange, 'start_date' | 'end_date' | 'ended_on'>;

/** As far as they are given. */
export function checkDates({ start_date, end_date, ended_on }: Dates): void {
  if (start_date === undefined) return;
  if (end_date && end_date < start_date) throw invalidField('end_date', 'Must not be before `start_date`.');
  if (ended_on && ended_on < start_date) throw invalidField('ended_on', 'Must not be before `start_date`.');
}

export async function getLease(db: Db, accountId: string, id: string, now: Date): Promise<string> {
  const json = await findRecord(db, store.leaseShape(dateOf(now)), accountId, id);
  if (json === null) throw notFound();
  return json;
}

export function listLeases(
  db: Db,
  accountId: string,
  filter: LeaseFilter,
  bounds: PageBounds,
  now: Date,
): Promise<Page> {
  return store.listLeases(db, accountId, filter, bounds, dateOf(now));
}
