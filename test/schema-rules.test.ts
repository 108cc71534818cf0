import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { globalTables } from '../src/db/distributed/tables.ts';
import { migrate, NewerDatabase } from '../src/db/migrate.ts';
import { parseId } from '../src/ids.ts';
import { testDatabase } from './support/database.ts';
import { hookUrl, make } from './support/records.ts';
import { type Service, testService } from './support/service.ts';

/*
 * The rules that let one schema work on a laptop and on a cluster that is distributed by account
 * (docs/decisions/0004-one-schema-from-laptop-to-cluster.md), read from the catalog. Also tests that the database
 * itself refuses what the API refuses.
 */

interface Constraint {
  name: string;
  table: string;
  type: 'p' | 'u' | 'x' | 'f' | 'c';
  columns: string[];
  target: string | null;
  targetColumns: string[];
  onDelete: string;
}

let service: Service;
let constraints: Constraint[];
let tables: string[];
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await service.database.db.pool.query<Row>(text, values)).rows;

beforeAll(async () => {
  service = await testService({}, await testDatabase('undistributed'));
  constraints = await query<Constraint>(`
    select c.conname as name, c.conrelid::regclass::text as table, c.contype::text as type, c.confdeltype::text as "onDelete",
      array(select a.attname::text from unnest(c.conkey) with ordinality k(n, at) join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.at) as columns,
      nullif(c.confrelid, 0)::regclass::text as target,
      array(select a.attname::text from unnest(c.confkey) with ordinality k(n, at) join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.at) as "targetColumns"
    from pg_constraint c where c.connamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'x', 'f', 'c') and c.conrelid <> 0`);
  tables = (
    await query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
    )
  ).map(({ name }) => name);
});
afterAll(() => service.close());

const accountTables = () => tables.filter((table) => !globalTables.includes(table));
const ofType = (...types: string[]) => constraints.filter(({ type }) => types.includes(type));

test("every table is known: an account's, or named here as global", () => {
  for (const table of globalTables) expect(tables).toContain(table);
  expect(accountTables().length).toBeGreaterThan(10);
});

test("rule 1: an account's table has account_id uuid not null", async () => {
  const columns = await query<{ table: string; type: string; required: boolean }>(`
    select attrelid::regclass::text as table, format_type(atttypid, null) as type, attnotnull as required
    from pg_attribute where attname = 'account_id' and attrelid = any(select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p'))`);
  for (const table of accountTables()) {
    const column = columns.find((each) => each.table === table);
    expect(column, table).toEqual({ table, type: 'uuid', required: true });
  }
});

test('rule 1: account_id leads the primary key and every unique or exclusion constraint and index', async () => {
  for (const table of accountTables())
    expect(ofType('p').find((each) => each.table === table)?.columns[0], table).toBe('account_id');
  for (const { table, name, columns } of ofType('u', 'x'))
    if (!globalTables.includes(table)) expect(columns[0], name).toBe('account_id');
  const indexes = await query<{ table: string; name: string; first: string }>(`
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid, 1, true) as first
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace`);
  for (const { table, name, first } of indexes)
    if (!globalTables.includes(table)) expect(first, name).toBe('account_id');
});

test('rule 1: references between account tables are composite, led by account_id, and named for their field', () => {
  const references = ofType('f').filter(({ table }) => !globalTables.includes(table));
  expect(references.length).toBeGreaterThan(8);
  for (const { table, name, columns, target, targetColumns } of references) {
    expect(columns[0], name).toBe('account_id');
    expect(name).toMatch(new RegExp(`^${table}_\\w+_fk$`));
    if (target === 'accounts') expect([columns, targetColumns], name).toEqual([['account_id'], ['id']]);
    else {
      expect(targetColumns[0], name).toBe('account_id');
      expect(columns.length, name).toBeGreaterThan(1);
      expect(globalTables, name).not.toContain(target);
    }
  }
});

test('rule 2: a global table refers to no account table', () => {
  for (const { table, name, target } of ofType('f'))
    if (globalTables.includes(table)) expect(globalTables, name).toContain(target);
  expect(ofType('f').filter(({ table }) => table === 'delivery_queue')).toEqual([]);
});

test('rule 3: no triggers, no rules, no SET NULL or SET DEFAULT', async () => {
  expect(await query('select tgname from pg_trigger where not tgisinternal')).toEqual([]);
  expect(
    await query("select rulename from pg_rewrite where rulename <> '_RETURN' and ev_class >= 16384"),
  ).toEqual([]);
  for (const { name, onDelete } of ofType('f')) expect(['n', 'd'], name).not.toContain(onDelete);
});

test('rule 3: no MERGE, and no row moves to another account', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  for (const file of sources.filter((path) => !path.endsWith('.test.ts'))) {
    const text = readFileSync(`src/${file}`, 'utf8');
    expect(/\bmerge\s+into\b/i.test(text), file).toBe(false);
    // A key is in a table for all accounts.
    for (const [moved] of text.matchAll(/(?:\bupdate\s+\w+\s+)?\bset\s+account_id\b/gi))
      expect(globalTables, file).toContain(/^update\s+(\w+)/i.exec(moved)?.[1]);
  }
});

// What the database refuses by itself ------------------------------------------------------------

type Values = Record<string, unknown>;
const now = '2026-11-15T09:30:00Z';

const entry = ({ account, lease, unit, property }: Values) => ({
  account_id: account,
  lease_id: lease,
  unit_id: unit,
  property_id: property,
  amount_cents: 5,
  currency: 'USD',
  source: 'api',
  created_at: now,
  updated_at: now,
});

/** The values in which a second row of a table must differ. All values, for a table without a first row. */
const fresh: Record<string, (ids: Values) => Values> = {
  accounts: () => ({ slug: randomUUID() }),
  users: () => ({ email: `${randomUUID()}@example.com` }),
  api_keys: () => ({ hash: `\\x${randomBytes(32).toString('hex')}` }),
  credentials: ({ user }) => ({
    user_id: user,
    provider_id: 'credential',
    provider_account_id: randomUUID(),
    created_at: now,
    updated_at: now,
  }),
  members: ({ user, account }) => ({
    id: randomUUID(),
    account_id: account,
    user_id: user,
    role: 'viewer',
    created_at: now,
  }),
  invitations: ({ user, account }) => ({
    account_id: account,
    email: 'a@example.com',
    role: 'viewer',
    status: 'pending',
    inviter_id: user,
    expires_at: now,
    created_at: now,
  }),
  sessions: ({ user }) => ({
    user_id: user,
    token: randomUUID(),
    expires_at: now,
    created_at: now,
    updated_at: now,
  }),
  two_factors: ({ user }) => ({
    user_id: user,
    secret: '',
    backup_codes: '[]',
    verified: false,
    failed_verification_count: 0,
  }),
  passkeys: ({ user }) => ({
    user_id: user,
    name: 'Phone',
    credential_id: randomUUID(),
    public_key: '',
    counter: 0,
    device_type: 'singleDevice',
    backed_up: false,
    created_at: now,
  }),
  units: () => ({ name: randomUUID() }),
  leases: () => ({ start_date: '2040-01-01', end_date: '2040-12-31', ended_on: null }),
  lease_tenants: ({ otherTenant }) => ({ tenant_id: otherTenant }),
  maintenance_requests: () => ({ number: 1000 }),
  idempotency_keys: () => ({ key: randomUUID() }),
  recurring_charges: (ids) => ({
    ...entry(ids),
    kind: 'pet',
    every: 'month',
    starts_on: '2026-06-01',
    amount_changes: [],
  }),
  charges: (ids) => ({
    ...entry(ids),
    kind: 'fee',
    due_on: '2026-06-01',
    overdue_from: '2026-06-02',
    voided_by_hand: false,
  }),
  credits: (ids) => ({ ...entry(ids), credited_on: '2026-06-01', reason: 'concession' }),
  deposit_refunds: (ids) => ({ ...entry(ids), refunded_on: '2026-06-01' }),
  late_fee_policies: ({ account, lease }) => ({
    account_id: account,
    lease_id: lease,
    policy: 'none',
    set_on: '2026-06-01',
  }),
  open_spans: ({ account, lease }) => ({
    account_id: account,
    lease_id: lease,
    kind: 'charge',
    item_id: randomUUID(),
    due_on: '2026-06-01',
    amount_cents: 5,
    from_day: '2026-06-01',
    to_day: '2026-06-02',
  }),
  import_keys: ({ account }) => ({
    account_id: account,
    kind: 'unit',
    key: randomUUID(),
    record_id: randomUUID(),
  }),
  saved_views: ({ account, user }) => ({
    account_id: account,
    user_id: user,
    list: 'leases',
    name: 'Ending',
    query: 'sort=end_date',
    created_at: now,
    updated_at: now,
  }),
  import_files: () => ({ piece: 7 }),
  files: ({ content }) => ({ id: content }),
  file_chunks: () => ({ number: 7 }),
  erasures: ({ account }) => ({
    account_id: account,
    tenant_id: randomUUID(),
    erased_at: new Date(),
    step: 'events',
    looks: 0,
  }),
};

const theirPlace = ({ theirLease, theirUnit, theirProperty }: Values) => ({
  lease_id: theirLease,
  unit_id: theirUnit,
  property_id: theirProperty,
});

/** Wrong values, by the constraint that refuses them. Names of the other account's values begin with `their`. */
const wrong: Record<string, (ids: Values) => Values> = {
  accounts_currency_check: () => ({ currency: 'usd' }),
  users_email_check: () => ({ email: 'Ada@example.com' }),
  api_keys_permission_check: () => ({ permission: 'admin' }),
  api_keys_hash_check: () => ({ hash: '\\xabcd' }),
  api_keys_account_id_fk: () => ({ account_id: randomUUID() }),
  credentials_user_id_fk: () => ({ user_id: randomUUID() }),
  sessions_user_id_fk: () => ({ user_id: randomUUID() }),
  two_factors_user_id_fk: () => ({ user_id: randomUUID() }),
  passkeys_user_id_fk: () => ({ user_id: randomUUID() }),
  members_role_check: () => ({ role: 'king' }),
  members_account_id_fk: () => ({ account_id: randomUUID() }),
  members_user_id_fk: () => ({ user_id: randomUUID() }),
  invitations_role_check: () => ({ role: 'king' }),
  invitations_status_check: () => ({ status: 'lost' }),
  invitations_account_id_fk: () => ({ account_id: randomUUID() }),
  invitations_inviter_id_fk: () => ({ inviter_id: randomUUID() }),
  properties_type_check: () => ({ type: 'castle' }),
  properties_status_check: () => ({ status: 'gone' }),
  properties_country_check: () => ({ country: 'usa' }),
  properties_account_id_fk: () => ({ account_id: randomUUID() }),
  units_bedrooms_check: () => ({ bedrooms: -1 }),
  units_bathrooms_check: () => ({ bathrooms: -0.5 }),
  units_area_sqft_check: () => ({ area_sqft: 0 }),
  units_market_rent_cents_check: () => ({ market_rent_cents: 0 }),
  units_property_id_fk: ({ theirProperty }) => ({ property_id: theirProperty }),
  tenants_account_id_fk: () => ({ account_id: randomUUID() }),
  leases_rent_cents_check: () => ({ rent_cents: 0 }),
  leases_deposit_cents_check: () => ({ deposit_cents: -1 }),
  leases_currency_check: () => ({ currency: 'dollars' }),
  leases_due_day_check: () => ({ due_day: 29 }),
  leases_end_after_start: () => ({ end_date: '2039-12-31' }),
  leases_no_overlap: () => ({ start_date: '2026-06-01', end_date: '2026-06-30' }),
  leases_unit_id_fk: ({ theirUnit, theirProperty }) => ({ unit_id: theirUnit, property_id: theirProperty }),
  lease_tenants_tenant_ids_fk: ({ theirTenant }) => ({ tenant_id: theirTenant }),
  lease_tenants_lease_id_fk: ({ theirLease }) => ({ lease_id: theirLease }),
  payments_amount_cents_check: () => ({ amount_cents: 0 }),
  payments_currency_check: () => ({ currency: 'us' }),
  payments_method_check: () => ({ method: 'barter' }),
  payments_status_check: () => ({ status: 'late' }),
  payments_period_check: () => ({ period: '2026-13' }),
  payments_source_check: () => ({ source: 'fax' }),
  payments_tenant_id_fk: ({ theirTenant }) => ({ tenant_id: theirTenant }),
  payments_lease_id_fk: theirPlace,
  maintenance_requests_number_check: () => ({ number: 0 }),
  maintenance_requests_category_check: () => ({ category: 'roof' }),
  maintenance_requests_priority_check: () => ({ priority: 'urgent' }),
  maintenance_requests_status_check: () => ({ status: 'new' }),
  maintenance_requests_cost_cents_check: () => ({ cost_cents: -5 }),
  maintenance_requests_source_check: () => ({ source: 'fax' }),
  maintenance_requests_completed: () => ({ status: 'completed', completed_at: null }),
  maintenance_requests_property_id_fk: ({ theirProperty }) => ({ property_id: theirProperty, unit_id: null }),
  maintenance_requests_unit_id_fk: ({ theirUnit }) => ({ unit_id: theirUnit }),
  maintenance_requests_tenant_id_fk: ({ theirTenant }) => ({ tenant_id: theirTenant }),
  webhook_endpoints_events_check: () => ({ events: [] }),
  webhook_endpoints_status_check: () => ({ status: 'asleep' }),
  webhook_endpoints_source_check: () => ({ source: 'fax' }),
  webhook_endpoints_disabled: () => ({ status: 'disabled', disabled_reason: null }),
  webhook_endpoints_disabled_reason_check: () => ({ status: 'disabled', disabled_reason: 'bored' }),
  webhook_endpoints_account_id_fk: () => ({ account_id: randomUUID() }),
  delivery_queue_kind_check: () => ({ kind: 'gift' }),
  deliveries_kind_check: () => ({ kind: 'gift' }),
  deliveries_status_check: () => ({ status: 'lost' }),
  api_keys_scopes_check: () => ({ scopes: [] }),
  api_keys_allowed_addresses_check: () => ({ allowed_addresses: [] }),
  audit_log_actor_type_check: () => ({ actor_type: 'cat' }),
  history_action_check: () => ({ action: 'cat' }),
  history_actor_type_check: () => ({ actor_type: 'cat' }),
  import_files_import_id_fk: () => ({ import_id: randomUUID() }),
  import_keys_kind_check: () => ({ kind: 'cat' }),
  accounts_test_of_fkey: () => ({ test_of: randomUUID() }),
  imports_actor_type_check: () => ({ actor_type: 'cat' }),
  imports_state_check: () => ({ state: 'lost' }),
  accounts_post_days_before_due_check: () => ({ post_days_before_due: 61 }),
  leases_proration_check: () => ({ proration: 'half' }),
  payments_charge_id_fk: () => ({ charge_id: randomUUID() }),
  payments_reversed: () => ({ reversed_on: '2026-06-30' }),
  recurring_charges_kind_check: () => ({ kind: 'rent' }),
  recurring_charges_amount_cents_check: () => ({ amount_cents: 0 }),
  recurring_charges_currency_check: () => ({ currency: 'us' }),
  recurring_charges_every_check: () => ({ every: 'day' }),
  recurring_charges_source_check: () => ({ source: 'fax' }),
  recurring_charges_lease_id_fk: theirPlace,
  charges_kind_check: () => ({ kind: 'gift' }),
  charges_amount_cents_check: () => ({ amount_cents: 0 }),
  charges_currency_check: () => ({ currency: 'us' }),
  charges_period_check: () => ({ period: '2026-13' }),
  charges_source_check: () => ({ source: 'fax' }),
  charges_voided: () => ({ voided_on: '2026-06-01' }),
  charges_lease_id_fk: theirPlace,
  charges_recurring_charge_id_fk: () => ({ recurring_charge_id: randomUUID() }),
  credits_amount_cents_check: () => ({ amount_cents: 0 }),
  credits_currency_check: () => ({ currency: 'us' }),
  credits_reason_check: () => ({ reason: 'luck' }),
  credits_source_check: () => ({ source: 'fax' }),
  credits_voided: () => ({ void_reason: 'A mistake.' }),
  credits_lease_id_fk: theirPlace,
  credits_charge_id_fk: () => ({ charge_id: randomUUID() }),
  deposit_refunds_amount_cents_check: () => ({ amount_cents: 0 }),
  deposit_refunds_currency_check: () => ({ currency: 'us' }),
  deposit_refunds_source_check: () => ({ source: 'fax' }),
  deposit_refunds_voided: () => ({ void_reason: 'A mistake.' }),
  deposit_refunds_lease_id_fk: ({ theirLease }) => ({ lease_id: theirLease }),
  erasures_step_check: () => ({ step: 'thoughts' }),
  file_contents_bytes_check: () => ({ bytes: -1 }),
  file_contents_account_id_fk: () => ({ account_id: randomUUID() }),
  file_chunks_content_id_fk: () => ({ content_id: randomUUID() }),
  files_record_type_check: () => ({ record_type: 'webhook' }),
  files_size_check: () => ({ size: 0 }),
  files_source_check: () => ({ source: 'fax' }),
  files_content_fk: () => ({ id: randomUUID() }),
  files_property_id_fk: ({ theirProperty }) => ({ record_type: 'property', record_id: theirProperty }),
  files_unit_id_fk: ({ theirUnit }) => ({ record_type: 'unit', record_id: theirUnit }),
  files_tenant_id_fk: ({ theirTenant }) => ({ record_type: 'tenant', record_id: theirTenant }),
  files_lease_id_fk: ({ theirLease }) => ({ record_type: 'lease', record_id: theirLease }),
  files_payment_id_fk: () => ({ record_type: 'payment', record_id: randomUUID() }),
  files_maintenance_request_id_fk: () => ({ record_type: 'maintenance_request', record_id: randomUUID() }),
  saved_views_account_id_fk: () => ({ account_id: randomUUID() }),
  saved_views_list_check: () => ({ list: 'cats' }),
  late_fee_policies_account_id_fk: () => ({ account_id: randomUUID(), lease_id: null }),
  late_fee_policies_property_id_fk: ({ theirProperty }) => ({ property_id: theirProperty }),
  late_fee_policies_lease_id_fk: ({ theirLease }) => ({ lease_id: theirLease }),
  open_spans_kind_check: () => ({ kind: 'debt' }),
  open_spans_amount_cents_check: () => ({ amount_cents: 0 }),
  open_spans_check: () => ({ to_day: '2026-06-01' }),
};

let ids: Values;
beforeAll(async () => {
  const uuid = (id: string) => parseId(id.split('_')[0] as 'we', id);
  const [ours, theirs] = [await service.client(), await service.client()];
  await make.webhook(ours, { events: ['lease.created', 'payment.created'] });
  const gone = await make.webhook(ours, { events: ['lease.created'] });
  const lease = await make.lease(ours, { start_date: '2026-01-01', end_date: '2026-12-31' });
  await ours.delete(`/webhooks/${gone.id}`);
  await make.payment(ours, { tenant_id: lease.tenant_ids[0], paid_on: '2026-06-01' });
  const { unit_id, property_id, tenant_ids } = lease;
  await make.maintenance(ours, { property_id, unit_id, tenant_id: tenant_ids[0] });
  await ours.post(`/files?record=${property_id}`, { note: 'Key' });
  const [content] = await query<{ id: string }>(
    `insert into file_contents (account_id, id, bytes, created_at) values ($1, gen_random_uuid(), 1, now()) returning id`,
    [ours.accountId],
  );
  await ours.post('/imports', { kind: 'tenants', file: 'x' });
  await ours.post('/webhooks', { url: hookUrl, events: ['unit.created'] }, { 'idempotency-key': 'k' });
  const otherTenant = await make.tenant(ours);
  const their = await make.lease(theirs);
  const [user] = await query<{ id: string }>('select user_id as id from members where account_id = $1', [
    theirs.accountId,
  ]);
  ids = {
    account: ours.accountId,
    lease: uuid(lease.id),
    unit: uuid(unit_id),
    property: uuid(property_id),
    content: content?.id,
    user: user?.id,
    otherTenant: uuid(otherTenant.id),
    theirProperty: uuid(their.property_id),
    theirUnit: uuid(their.unit_id),
    theirLease: uuid(their.id),
    theirTenant: uuid(their.tenant_ids[0]),
  };
});

/** Inserts a copy of one of our rows with these values, and undoes it. Resolves to the constraint that it violates. */
async function insertCopy(table: string, values: Values): Promise<string | null> {
  const columns = await query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
       and attname <> 'written_in'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const own = names.includes('account_id') ? 'where t.account_id = $2' : 'where $2::uuid is not null';
  const client = await service.database.db.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into ${table} (${names.join(', ')}) select ${names.map((name) => `(r.row).${name}`).join(', ')}
       from (select jsonb_populate_record(null::${table},
         coalesce((select to_jsonb(t) from ${table} t ${own} limit 1), '{}') || $1::jsonb) as row) r`,
      [JSON.stringify(values), ids.account],
    );
    return null;
  } catch (error) {
    const { constraint, message } = error as { constraint?: string; message: string };
    return constraint ?? message;
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const anId = (table: string) =>
  tables.includes(table) &&
  table !== 'lease_tenants' &&
  table !== 'idempotency_keys' &&
  table !== 'import_keys' &&
  table !== 'file_chunks' &&
  table !== 'open_spans'
    ? { id: randomUUID() }
    : {};
const rightRow = (table: string) => ({ ...anId(table), ...fresh[table]?.(ids) });

test('the database refuses wrong enums, amounts, overlaps and references of other accounts by itself', async () => {
  const checked = ofType('c', 'x', 'f');
  // Every constraint is tried: one without a case here fails, and so does a case without a constraint.
  expect(Object.keys(wrong).sort()).toEqual(checked.map(({ name }) => name).sort());
  for (const { name, table } of checked) {
    expect(await insertCopy(table, rightRow(table)), `${table}: the right row`).toBeNull();
    expect(await insertCopy(table, { ...rightRow(table), ...wrong[name]?.(ids) }), name).toBe(name);
  }
});

test('a unit has one name in its property, a request one number in its account', async () => {
  const [unit] = await query<{ name: string }>('select name from units where account_id = $1', [ids.account]);
  expect(await insertCopy('units', { ...rightRow('units'), name: unit?.name })).toBe('units_name_unique');
  const double = { ...rightRow('maintenance_requests'), number: 1 };
  expect(await insertCopy('maintenance_requests', double)).toBe('maintenance_requests_number_unique');
});

// Migrations -------------------------------------------------------------------------------------

const versions = readdirSync('db/migrations').map((name) => name.replace(/\.sql$/, ''));

test('of several processes that migrate at once one does the work, and a later run finds nothing to do', async () => {
  const empty = await testDatabase('empty');
  const run = promisify(execFile);
  const outputs = await Promise.all(
    Array.from({ length: 4 }, () => run(process.execPath, ['test/fixtures/migrate.ts', empty.url])),
  );
  const applied = outputs.map(({ stdout }) => JSON.parse(stdout) as string[]);
  expect(applied.toSorted((a, b) => b.length - a.length)).toEqual([versions, [], [], []]);
  expect(await migrate(empty.db)).toEqual([]);
  await empty.drop();
});

test('a database newer than the code is refused, and left as it is', async () => {
  const newer = await testDatabase();
  await newer.db.pool.query(
    "insert into schema_migrations (version, name) values (9000, '9000_from_the_future')",
  );
  await expect(migrate(newer.db)).rejects.toThrow(NewerDatabase);
  await expect(migrate(newer.db)).rejects.toThrow(/version 9000, .* knows only up to \d+/);
  const { rows } = await newer.db.pool.query('select max(version) as version from schema_migrations');
  expect(rows).toEqual([{ version: 9000 }]);
  await newer.drop();
});

test('migrations are numbered without gaps', () => {
  expect(versions.map((name) => Number(name.slice(0, 4)))).toEqual(versions.map((_, at) => at + 1));
});
