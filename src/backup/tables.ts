import type pg from 'pg';

export interface Table {
  name: string;
  /** All columns, in order: a row is written as one value of the table's type. */
  columns: string[];
  /** The columns that the database does not generate from others. */
  stored: string[];
}

/**
 * What happens to each table. It is data; or it lets somebody in, and is left out unless secrets are asked for; or it
 * is not worth keeping. A table without an entry is not ours. A test fails if a new table of ours has none.
 *
 * What SECRET_KEY encrypts or signs (secrets of webhooks, kept answers, invitations) and hashes of keys and passwords
 * let nobody in by themselves, so they are data.
 */
export const tableKinds: Readonly<Record<string, 'data' | 'lets in' | 'nothing'>> = {
  account_clocks: 'data',
  account_counters: 'data',
  accounts: 'data',
  api_keys: 'data',
  audit_log: 'data',
  charges: 'data',
  credentials: 'data',
  credits: 'data',
  deliveries: 'data',
  delivery_attempts: 'data',
  delivery_queue: 'data',
  deposit_refunds: 'data',
  erasures: 'data',
  events: 'data',
  file_chunks: 'data',
  file_contents: 'data',
  files: 'data',
  history: 'data',
  idempotency_keys: 'data',
  import_files: 'data',
  import_keys: 'data',
  imports: 'data',
  invitations: 'data',
  late_fee_policies: 'data',
  lease_schedules: 'data',
  lease_tenants: 'data',
  leases: 'data',
  ledger_changes: 'data',
  maintenance_requests: 'data',
  members: 'data',
  open_spans: 'data',
  // Public keys only.
  passkeys: 'data',
  payment_checks: 'data',
  payments: 'data',
  properties: 'data',
  recurring_charges: 'data',
  saved_views: 'data',
  // The schema's version is in the head.
  schema_migrations: 'nothing',
  // Fingerprints only.
  secret_keys: 'data',
  sessions: 'lets in',
  tenants: 'data',
  // Encrypted with SECRET_KEY, and hashes.
  two_factors: 'data',
  units: 'data',
  users: 'data',
  // Sign-ins under way.
  verifications: 'lets in',
  webhook_endpoints: 'data',
  // None of today's workers will be running.
  workers: 'nothing',
};

/** Columns written as null unless secrets are asked for: tokens that let their holder in at another service. */
export const secretColumns: Readonly<Record<string, readonly string[]>> = {
  credentials: ['access_token', 'refresh_token', 'id_token'],
};

/** The tables with data, each after those it references. */
export async function readTables(client: pg.ClientBase, { secrets }: { secrets: boolean }): Promise<Table[]> {
  const { rows: tables } = await client.query<Table>(`
    select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns,
      array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as stored
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname order by c.relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select f.relname as from, t.relname as to from pg_constraint c
    join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
    where c.contype = 'f' and f.relnamespace = current_schema()::regnamespace and f.oid <> t.oid`);
  const kinds = secrets ? ['data', 'lets in'] : ['data'];
  return inOrder(
    tables.filter(({ name }) => kinds.includes(tableKinds[name] ?? 'nothing')),
    references,
  );
}

function inOrder(tables: Table[], references: { from: string; to: string }[]): Table[] {
  const ordered: Table[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(({ name }) => name));
    const free = [...waiting].filter(
      ({ name }) => !references.some(({ from, to }) => from === name && names.has(to)),
    );
    if (free.length === 0)
      throw new Error(`Tables reference each other in a circle: ${[...names].join(', ')}.`);
    for (const table of free) {
      ordered.push(table);
      waiting.delete(table);
    }
  }
  return ordered;
}

/** A name as SQL text. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
