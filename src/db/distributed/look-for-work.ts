import type { Db } from '../connect.ts';

/**
 * How often to look whether any account has work of some kind. On a distributed database this asks every part of a
 * table: with 32 parts, a look each second for imports, erasures and leases is about a hundred statements a second.
 */
export const lookEveryMs = (db: Pick<Db, 'isDistributed'>): number => (db.isDistributed() ? 5_000 : 1_000);
