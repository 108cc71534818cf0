import { dateOf } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { RentCollectedFilter, RentRollFilter } from './reports.schema.ts';
import * as store from './reports.store.ts';

/** Every unit with its tenants, its lease, and what was paid and is owed on a day. */
export const rentRoll = (db: Db, accountId: string, filter: RentRollFilter, now: Date): Promise<store.Rows> =>
  store.rentRoll(db, accountId, filter.as_of ?? dateOf(now), filter.property_id);

/** Rent that fell due and rent that came in, over a range of days. */
export const rentCollected = (db: Db, accountId: string, filter: RentCollectedFilter): Promise<store.Rows> =>
  filter.by === 'month'
    ? store.rentByMonth(db, accountId, filter)
    : store.rentByProperty(db, accountId, filter);
