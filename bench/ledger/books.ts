import { type ManyLeases, makeManyLeases } from '../../test/support/many-leases.ts';
import { openDatabase, type TenureDatabase } from '../lib/database.ts';
import type { BenchPostgres } from '../lib/postgres.ts';

/** A database with an account that has this many leases, each with the rent of this many months. */
export async function openBooks(
  postgres: BenchPostgres,
  name: string,
  size: { leases: number; months: number },
): Promise<TenureDatabase & ManyLeases> {
  const database = await openDatabase(await postgres.createDatabase(name));
  const made = await makeManyLeases(database.client, size);
  await postgres.settle();
  return { ...database, ...made };
}
