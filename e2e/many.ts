import { type Sql, sql } from '../src/db/sql.ts';
import { newId, parseId } from '../src/ids.ts';
import { withDatabase } from './database.ts';

/**
 * Adds many tenants to an account: Tenant 00000, Tenant 00001, … They are written to the database, since the API would
 * take minutes.
 */
export const addManyTenants = (dataDir: string, accountId: string, count: number) =>
  insert(
    dataDir,
    count,
    (made) => sql`
    insert into tenants (account_id, id, first_name, last_name, created_at, updated_at)
    select ${parseId('acct', accountId)}::uuid, id, 'Tenant', name, now(), now() from ${made}`,
  );

/** Adds units to a property in the same way: 00000, 00001, … */
export const addManyUnits = (dataDir: string, accountId: string, propertyId: string, count: number) =>
  insert(
    dataDir,
    count,
    (made) => sql`
    insert into units (account_id, id, property_id, name, offline, created_at, updated_at)
    select ${parseId('acct', accountId)}::uuid, id, ${parseId('prop', propertyId)}::uuid, name, false, now(), now() from ${made}`,
  );

async function insert(dataDir: string, count: number, statement: (made: Sql) => Sql): Promise<void> {
  const ids = Array.from({ length: count }, newId);
  const names = ids.map((_, number) => String(number).padStart(5, '0'));
  const made = sql`unnest(${ids}::uuid[], ${names}::text[]) as made (id, name)`;
  await withDatabase(dataDir, (db) => db.query(statement(made)));
}
