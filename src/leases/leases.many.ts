import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { WithId } from '../db/many.ts';
import { refuseViolations } from '../db/violations.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { type Many, type ManyWrite, recordMany } from '../events/record-many.ts';
import * as store from './leases.store.ts';
import { checkDates, refusals } from './leases.ts';

type Lease = WithId<store.ManyLeasesRow>;

/** Many leases at once, for imports. */
export const manyLeases: Many<store.ManyLeasesRow> = {
  find: store.findLeases,

  async add(tx, write, leases) {
    for (const lease of leases) checkDates(lease);
    await refuseViolations('leases', () => store.insertLeases(tx, write.accountId, leases), refusals);
    await addTenants(tx, write, leases);
    await recordLeases(tx, write, 'lease.created', leases, ({ ended_on }) => ended_on !== null);
  },

  async change(tx, write, leases, before) {
    for (const lease of leases) checkDates(lease);
    const ids = leases.map(({ id }) => id);
    await store.deleteTenantsOfLeases(tx, write.accountId, ids);
    await addTenants(tx, write, leases);
    await refuseViolations(
      'leases',
      () => store.updateLeases(tx, write.accountId, leases, write.now),
      refusals,
    );
    const ends = (lease: Lease) =>
      lease.ended_on !== null && lease.ended_on !== before.get(lease.id)?.ended_on;
    await recordLeases(tx, write, 'lease.updated', leases, ends);
  },
};

const addTenants = (tx: Db, { accountId }: ManyWrite, leases: Lease[]): Promise<void> =>
  refuseViolations('lease_tenants', () => store.insertTenantsOfLeases(tx, accountId, leases));

/** After the rows and their tenants are there: the record's JSON names the tenants. */
async function recordLeases(
  tx: Db,
  write: ManyWrite,
  event: SubscribableEvent,
  leases: Lease[],
  ends: (lease: Lease) => boolean,
): Promise<void> {
  if (!write.events) return;
  const groups: [Lease[], SubscribableEvent[]][] = [
    [leases.filter((lease) => !ends(lease)), [event]],
    [leases.filter(ends), [event, 'lease.ended']],
  ];
  const shape = store.leaseShape(dateOf(write.now));
  for (const [some, events] of groups) {
    const ids = some.map(({ id }) => id);
    const rows = store.selectLeases(write.accountId, ids);
    await recordMany(tx, write, { shape, rows, count: some.length, events });
  }
}
