import { isDeepStrictEqual } from 'node:util';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { inOrderOf, newRow, type WithId } from '../db/records/columns.ts';
import { refuseTaken } from '../db/records/external-ids.ts';
import { updateRows } from '../db/records/rows.ts';
import type { Sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import { type AppError, conflict, invalidField } from '../errors.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { changeRecord, recordRows, type Writer, type Writing, writing } from '../events/writer.ts';
import { keepDepositsCharged } from '../ledger/deposits/deposits-held.ts';
import { notePolicies } from '../ledger/late-fee-policies.ts';
import { reschedule } from '../ledger/posting/schedule.ts';
import { chooseLeasesAgain } from '../payments/payment-leases.ts';
import { lockBeforeWriting, tellAfterWriting } from './derived.ts';
import { type LeaseRow, leases } from './leases.columns.ts';
import type { LeaseChange, LeaseInput } from './leases.schema.ts';
import * as store from './leases.store.ts';
import { beginOfLedger, withLedgerBegin } from './ledger-begin.ts';

export async function makeLease(db: Db, caller: Caller, input: LeaseInput, now: Date): Promise<string> {
  const [json] = await makeLeases(db, caller, [input], now);
  return json as string;
}

/** Makes all leases, or none if one is refused. Returns their JSON in the same order. */
export async function makeLeases(db: Db, caller: Caller, inputs: LeaseInput[], now: Date): Promise<string[]> {
  const { accountId } = caller;
  const rows = inputs.map((input) => ({
    ...newRow(leases, { ...input, currency: input.currency ?? caller.currency }),
    tenant_ids: input.tenant_ids,
  }));
  rows.forEach(checkDates);
  return db.transaction(async (tx) => {
    if (!(await store.lockUnits(tx, accountId, [...new Set(rows.map(({ unit_id }) => unit_id))])))
      throw invalidField('unit_id', 'There is no unit with this id here.');
    // This comes before the insert, which may be refused because of the unit's other leases: mistakes in the body are
    // reported first.
    if (!(await store.hasTenants(tx, accountId, [...new Set(rows.flatMap(({ tenant_ids }) => tenant_ids))])))
      throw invalidField('tenant_ids', 'One of these ids belongs to no tenant here.');
    return inOrderOf(leases, rows, await leaseWriter.add(tx, writing(caller, now), rows));
  });
}

/** Changes a lease: its terms, notice given, or its end. */
export const changeLease = (
  db: Db,
  caller: Caller,
  id: string,
  patch: LeaseChange,
  now: Date,
): Promise<string> =>
  changeRecord(
    db,
    leaseWriter,
    writing(caller, now),
    id,
    (current) => withLedgerBegin(patch, current, caller.timeZone),
    async (tx, next) => {
      checkDates(next);
      await store.lockUnits(tx, caller.accountId, [next.unit_id]);
    },
  );

type Lease = WithId<LeaseRow>;

export const leaseWriter: Writer<LeaseRow> = {
  shape: store.leaseShape,
  find: store.findLeases,

  /** The record's JSON contains the tenants, so it is made once they are written. */
  async add(tx, how, added) {
    const { accountId } = how;
    for (const lease of added) {
      checkDates(lease);
      lease.ledger_from ??= beginOfLedger(lease.start_date, how.today);
    }
    await refuseTaken(tx, leases, accountId, added);
    const before = await lockBeforeWriting(tx, how, added);
    await refuseOverlaps(() => tx.query(store.insertLeases(accountId, added)));
    await addTenants(tx, accountId, added);
    await notePolicies(tx, how, 'lease', added);
    const written = await recordLeases(
      tx,
      how,
      'lease.created',
      added,
      ({ ended_on }) => ended_on !== null,
      (some) => store.selectLeases(accountId, some.map(idOf)),
    );
    await tellAfterWriting(tx, how, added, before);
    await chooseLeasesAgain(tx, how, added.flatMap(tenantsOf));
    await reschedule(tx, how, added.map(idOf));
    return written;
  },

  async change(tx, how, changed, before) {
    changed.forEach(checkDates);
    const other = changed.filter((lease) => differ(lease, before.get(lease.id), ledgerTerms)).map(idOf);
    return keepDepositsCharged(tx, how, other, async () => {
      const written = await writeChanges(tx, how, changed, before);
      if (other.length > 0) await reschedule(tx, how, other);
      return written;
    });
  },
};

async function writeChanges(
  tx: Db,
  how: Writing,
  changed: Lease[],
  before: Map<string, Lease>,
): Promise<string[]> {
  const { accountId, now } = how;
  await refuseTaken(tx, leases, accountId, changed, before);
  const shown = await lockBeforeWriting(tx, how, changed, before);
  // The tenants come first: the record's JSON names them, and a statement does not see its own inserts.
  const moved = changed.filter((lease) => differ(lease, before.get(lease.id), ['tenant_ids']));
  if (moved.length > 0) {
    await store.deleteTenantsOf(tx, accountId, moved.map(idOf));
    await addTenants(tx, accountId, moved);
  }
  await notePolicies(tx, how, 'lease', changed, before);
  const ends = ({ id, ended_on }: Lease) => ended_on !== null && ended_on !== before.get(id)?.ended_on;
  const written = await refuseOverlaps(() =>
    recordLeases(
      tx,
      how,
      'lease.updated',
      changed,
      ends,
      (some) => updateRows(leases, accountId, some, now),
      store.movedTenants(moved, before),
    ),
  );
  await tellAfterWriting(tx, how, changed, shown);
  const tenants = changed
    .filter((lease) => differ(lease, before.get(lease.id), ['tenant_ids', ...dates]))
    .flatMap((lease) => [...tenantsOf(lease), ...tenantsOf(before.get(lease.id))]);
  if (tenants.length > 0) await chooseLeasesAgain(tx, how, tenants);
  return written;
}

const idOf = ({ id }: Lease): string => id;
const tenantsOf = (lease: Lease | undefined): string[] => lease?.tenant_ids ?? [];

const differ = (lease: Lease, before: Lease | undefined, names: readonly (keyof LeaseRow)[]): boolean =>
  names.some((name) => !isDeepStrictEqual(lease[name], before?.[name]));

/** The days that limit the lease. */
const dates = ['start_date', 'end_date', 'ended_on'] as const;

/** The fields that decide what the lease charges. */
const ledgerTerms = [
  ...dates,
  'rent_cents',
  'rent_changes',
  'due_day',
  'proration',
  'deposit_cents',
  'currency',
  'ledger_from',
  'opening_balance_cents',
] as const;

const refuseOverlaps = <Result>(work: () => Promise<Result>): Promise<Result> =>
  refuseViolations('leases', work, { leases_no_overlap: leaseOverlap });

export const leaseOverlap = (): AppError =>
  conflict(
    'lease_overlap',
    'The unit already has a lease during this time; end that one first, or choose dates that do not overlap.',
  );

const addTenants = (tx: Db, accountId: string, of: Lease[]): Promise<void> =>
  refuseViolations('lease_tenants', () => store.insertTenantsOf(tx, accountId, of));

/** Leases that end are written first, because they make room for others. */
async function recordLeases(
  tx: Db,
  how: Writing,
  event: SubscribableEvent,
  written: Lease[],
  ends: (lease: Lease) => boolean,
  rowsOf: (some: Lease[]) => Sql,
  moved?: Sql,
): Promise<string[]> {
  const shape = store.leaseShape(how.accountId, how.today);
  const groups: [Lease[], SubscribableEvent[]][] = [
    [written.filter(ends), [event, 'lease.ended']],
    [written.filter((lease) => !ends(lease)), [event]],
  ];
  const json: string[] = [];
  for (const [some, events] of groups)
    if (some.length > 0)
      json.push(
        ...(await recordRows(tx, how, {
          shape,
          rows: rowsOf(some),
          ids: some.map(idOf),
          events,
          ...(moved && { differs: { pieces: [moved] } }),
        })),
      );
  return json;
}

type Dates = Pick<LeaseChange, 'start_date' | 'end_date' | 'ended_on' | 'rent_changes'>;

/** Checks the dates that are set against each other. */
export function checkDates({ start_date, end_date, ended_on, rent_changes }: Dates): void {
  if (start_date === undefined) return;
  if (end_date && end_date < start_date) throw invalidField('end_date', 'Must not be before `start_date`.');
  if (rent_changes?.some(({ from }) => from <= start_date))
    throw invalidField(
      'rent_changes',
      'Must begin after `start_date`; `rent_cents` is the rent of that day.',
    );
  if (ended_on && ended_on < start_date) throw invalidField('ended_on', 'Must not be before `start_date`.');
}
