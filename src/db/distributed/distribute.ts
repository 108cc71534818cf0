import type pg from 'pg';
import { changingSchema, type Database, inLongTransaction, withoutLimit } from '../connect.ts';
import { globalTables } from './tables.ts';

/*
 * Turns a migrated database into one that is distributed by account (Citus). Each step is one transaction, and what is
 * left to do is read from the catalog. So it may be interrupted anywhere and run again, even twice at once, because the
 * lock of migrations allows one step at a time. It is not a single transaction, because that would lock every index of
 * every shard, and a server has too few locks for that by default.
 */

/** Keeps foreign keys while they are off, so that they survive a crash. */
const detached = 'detached_foreign_keys';

/** The database cannot be distributed as it is. The message says what to do. */
export class CannotDistribute extends Error {}

/** Takes the remaining steps, and reports each. Returns their number: 0 if everything was already distributed. */
export async function distribute(
  db: Database,
  tell: (step: string) => void = () => undefined,
): Promise<number> {
  await refuseUnready(db);
  return takeSteps(db, tell);
}

/** Distributes the tables that a migration has made. Nothing uses them yet, so Tenure may be running. */
export async function distributeNew(db: Database): Promise<void> {
  const { rows } = await db.pool.query<{ exists: boolean }>(
    "select to_regclass('pg_catalog.pg_dist_partition') is not null as exists",
  );
  if (!rows[0]?.exists) return;
  const { rowCount } = await db.pool.query(
    "select from pg_dist_partition where logicalrelid = to_regclass('accounts') and repmodel = 't'",
  );
  if (rowCount) await takeSteps(db);
}

async function takeSteps(db: Database, tell: (step: string) => void = () => undefined): Promise<number> {
  let steps = 0;
  for (;;) {
    const step = await inLongTransaction(db, { settings: changingSchema }, nextStep);
    if (step === null) return steps;
    steps++;
    tell(step);
  }
}

interface Table {
  name: string;
  /** How it is distributed: by hash, as a copy on every node, or not at all, on the coordinator. */
  kind: 'hash' | 'copies' | 'local';
}

interface ForeignKey {
  name: string;
  table: string;
  definition: string;
}

async function nextStep(client: pg.PoolClient): Promise<string | null> {
  const tables = await readTables(client);
  const accounts = tables.filter(({ name }) => !globalTables.includes(name));
  const waiting = accounts.filter(({ kind }) => kind !== 'hash').map(({ name }) => name);
  const isCopied = tables.some(({ name, kind }) => name === 'accounts' && kind === 'copies');
  const touched = isCopied ? waiting : ['accounts', ...waiting];
  const keys = await readForeignKeys(client, touched);
  if (keys.length > 0) return detach(client, keys);
  if (!isCopied) {
    await client.query(withoutLimit("select create_reference_table('accounts')"));
    await forgetLocalRows(client, 'accounts');
    return 'Copied accounts to every node.';
  }
  const [table] = waiting;
  if (table !== undefined) {
    const beside = accounts.find(({ kind }) => kind === 'hash')?.name ?? 'none';
    await client.query(
      withoutLimit(`select create_distributed_table('${table}', 'account_id', colocate_with => '${beside}')`),
    );
    await forgetLocalRows(client, table);
    return `Distributed ${table}.`;
  }
  return attachNext(client);
}

async function readTables(client: pg.PoolClient): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       case when p.partmethod = 'h' then 'hash' when p.repmodel = 't' then 'copies' else 'local' end as kind
     from pg_class c left join pg_dist_partition p on p.logicalrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> '${detached}'
     order by c.relname`,
  );
  return rows;
}

/** Foreign keys from or to these tables. (pg_class does not show parts of tables; pg_constraint does.) */
async function readForeignKeys(client: pg.PoolClient, tables: string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conname as name, conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid in (select oid from pg_class)
       and (conrelid = any($1::text[]::regclass[]) or confrelid = any($1::text[]::regclass[]))
     order by conrelid, conname`,
    [tables],
  );
  return rows;
}

/** A table cannot be distributed while it refers to tables that are not, or they to it. */
async function detach(client: pg.PoolClient, keys: ForeignKey[]): Promise<string> {
  await client.query(
    `create table if not exists ${detached} (name text, "table" text, definition text, primary key ("table", name))`,
  );
  for (const { name, table, definition } of keys) {
    await client.query(`insert into ${detached} values ($1, $2, $3)`, [name, table, definition]);
    await client.query(withoutLimit(`alter table ${table} drop constraint "${name}"`));
  }
  return `Took ${keys.length} foreign keys off.`;
}

async function attachNext(client: pg.PoolClient): Promise<string | null> {
  const { rows: found } = await client.query<{ exists: boolean }>(
    `select to_regclass('${detached}') is not null as exists`,
  );
  if (!found[0]?.exists) return null;
  const { rows } = await client.query<ForeignKey>(`select * from ${detached} order by "table", name limit 1`);
  const [key] = rows;
  if (key === undefined) {
    await client.query(`drop table ${detached}`);
    return 'All foreign keys are on again.';
  }
  await client.query(withoutLimit(`alter table ${key.table} add constraint "${key.name}" ${key.definition}`));
  await client.query(`delete from ${detached} where "table" = $1 and name = $2`, [key.table, key.name]);
  return `Put ${key.name} on again.`;
}

/** The rows are on their nodes now. The coordinator's own copies would take up space for ever. */
const forgetLocalRows = (client: pg.PoolClient, table: string) =>
  client.query(withoutLimit(`select truncate_local_data_after_distributing_table('${table}')`));

async function refuseUnready(db: Database): Promise<void> {
  await inLongTransaction(db, { settings: changingSchema }, async (client) => {
    const { rowCount: installed } = await client.query("select from pg_extension where extname = 'citus'");
    if (!installed)
      throw new CannotDistribute(
        'This database does not have the extension citus. Install Citus on every node, then run `create extension citus` ' +
          'in this database, on every node.',
      );
    const { rows } = await client.query<{ groupid: number; takes: boolean }>(
      "select groupid, shouldhaveshards as takes from pg_dist_node where isactive and noderole = 'primary'",
    );
    if (!rows.some(({ groupid }) => groupid === 0))
      throw new CannotDistribute(
        "The coordinator does not know its own address. Run `select citus_set_coordinator_host('<host>', <port>)` on it.",
      );
    if (!rows.some(({ takes }) => takes))
      throw new CannotDistribute(
        "There is no node to put data on. Run `select citus_add_node('<host>', <port>)` on the coordinator for each.",
      );
    const { rows: foreign } = await client.query<{ name: string; owner: string }>(
      `select relname as name, pg_get_userbyid(relowner) as owner from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'r'
         and not pg_has_role(relowner, 'usage') order by relname limit 1`,
    );
    for (const { name, owner } of foreign)
      throw new CannotDistribute(
        `The table ${name} belongs to ${owner}: connect as that role, or as a superuser.`,
      );
    await refuseRunning(db, client);
  });
}

/** Anything that writes while foreign keys are off could break them. */
async function refuseRunning(db: Database, client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name = 'tenure'`,
  );
  if ((rows[0]?.count ?? 0) > db.pool.totalCount)
    throw new CannotDistribute('Tenure is still running on this database: stop all of its processes first.');
}
