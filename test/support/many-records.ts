import type { ClientBase } from 'pg';

/*
 * An account with very many records, made in SQL: as many as an owner of some fifty properties has after some years.
 * Most are entered as they happen, but one in two hundred payments long afterwards. Most payments are paid and most
 * requests completed. The rest of the account is the same whatever the number of payments.
 */

export interface Sizes {
  payments: number;
  /** Some charges of the last month are still open. There are a tenth as many credits. */
  charges: number;
  maintenance: number;
  events: number;
  /** Finished deliveries, half of them to one endpoint. */
  deliveries: number;
  /** Unfinished deliveries, a hundred of them to that endpoint. Half of them are due. */
  queued: number;
  accounts: number;
  /** The endpoints of all accounts together. */
  endpoints: number;
}

const properties = 50;
const tenants = 2_000;
/** What a tenant of ten years has paid, and asked to be repaired, however big the account is. */
const tenantPayments = 120;
const tenantRequests = 40;

/** The day on which everything is looked at. */
export const today = new Date('2026-11-01T00:00:00.000Z');
const day = 86_400_000;
const years = 5;
const start = today.getTime() - years * 365 * day;

const hex = (digits: number, value: number) => value.toString(16).padStart(digits, '0');
const uuid = (ms: number, n: number) => {
  const text = `${hex(12, ms)}70008${hex(15, n)}`;
  return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** The records that are requested. */
export const probes = {
  account: uuid(start - 9 * day, 0),
  prop: uuid(start - 8 * day, 0),
  unit: uuid(start - 7 * day, 0),
  ten: uuid(start - 6 * day, 0),
  lease: uuid(start - 5 * day, 0),
  we: uuid(start - 4 * day, 0),
  // These have nothing but their history.
  pay: uuid(start - 3 * day, 1),
  chg: uuid(start - 3 * day, 2),
  crd: uuid(start - 3 * day, 3),
  rec: uuid(start - 3 * day, 4),
  mnt: uuid(start - 3 * day, 5),
  evt: uuid(start - 3 * day, 6),
};

/** An id at about this part of the account's time. */
export const idAt = (part: number): string => uuid(Math.floor(timeAt(part).getTime()), 0);
export const timeAt = (part: number): Date => new Date(start + (today.getTime() - start) * part);

const idSql = (ms: string, n: string) =>
  `(lpad(to_hex((${ms})::bigint), 12, '0') || '70008' || lpad(to_hex((${n})::bigint), 15, '0'))::uuid`;
const one = {
  account: (n: string) => idSql(`${start - 9 * day}`, n),
  property: (n: string) => idSql(`${start - 8 * day}`, n),
  unit: (n: string) => idSql(`${start - 7 * day}`, n),
  tenant: (n: string) => idSql(`${start - 6 * day}`, n),
  lease: (n: string) => idSql(`${start - 5 * day}`, n),
  endpoint: (n: string) => idSql(`${start - 4 * day}`, n),
};
const at = (ms: string) => `to_timestamp((${ms}) / 1000.0)`;
/** One of several values, chosen by a number. A value that is listed several times is more frequent. */
const pick = (values: string[], by: string) =>
  `(array[${values.map((value) => `'${value}'`).join(',')}])[1 + (${by}) % ${values.length}]`;
/** n, a random number that is always the same for n, and a time that grows with n. */
const numbered = (count: number, from = start) => `(
  select n, h, h / 1009 % 1000 as part, ${from} + n::bigint * ${today.getTime() - from} / ${count} as ms
  from (select n, hashint4(n) & 2147483647 as h from generate_series(1, ${count}) n) numbers)`;

/** Makes the records. The tables must be empty. It takes a minute or so for each million. */
export async function makeManyRecords(client: ClientBase, sizes: Sizes): Promise<void> {
  const run = (text: string) => client.query(text);
  const { account } = probes;
  // All references are right, so the database need not look them up one by one.
  await run(
    `set session_replication_role = replica; set maintenance_work_mem = '512MB'; set synchronous_commit = off`,
  );
  await run(`
    insert into accounts (id, name, slug) select ${one.account('n')}, 'Account ' || n, 'account-' || n from generate_series(0, ${sizes.accounts - 1}) n;
    insert into properties (account_id, id, name, type, city, status, created_at, updated_at)
    select '${account}', ${one.property('n')}, 'House ' || n, 'multi_family', ${pick(['Portland', 'Salem', 'Eugene'], 'n')},
      case when n % 10 = 9 then 'archived' else 'active' end, ${at(`${start}`)}, ${at(`${start}`)} from generate_series(0, ${properties - 1}) n;
    insert into units (account_id, id, property_id, name, bedrooms, market_rent_cents, offline, created_at, updated_at)
    select '${account}', ${one.unit('n')}, ${one.property(`n % ${properties}`)}, 'Unit ' || n, n % 4, 125000, n % 50 = 7, ${at(`${start}`)}, ${at(`${start}`)}
    from generate_series(0, ${tenants - 1}) n;
    insert into tenants (account_id, id, first_name, last_name, email, created_at, updated_at)
    select '${account}', ${one.tenant('n')}, ${pick(['Ada', 'Ben', 'Chloe', 'Dan', 'Eve'], 'n')}, 'Okafor ' || n, 'tenant' || n || '@example.com',
      ${at(`${start}`)}, ${at(`${start}`)} from generate_series(0, ${tenants - 1}) n;
    insert into leases (account_id, id, unit_id, property_id, start_date, end_date, notice_given_on, rent_cents, currency, due_day, ledger_from, created_at, updated_at)
    select '${account}', ${one.lease('n')}, ${one.unit('n')}, ${one.property(`n % ${properties}`)},
      case when n % 40 = 3 then date '2027-01-01' else date '2016-01-01' + n % 1000 end,
      case when n % 20 = 5 then date '2026-06-30' when n % 20 = 6 then date '2026-12-31' end,
      case when n % 20 = 6 then date '2026-10-15' end, 125000, 'USD', 1, date '2026-11-01',
      ${at(`${start}`)}, ${at(`${start}`)}
    from generate_series(0, ${tenants - 1}) n;
    insert into lease_tenants (account_id, lease_id, tenant_id, position)
    select '${account}', ${one.lease('n')}, ${one.tenant('n')}, 1 from generate_series(0, ${tenants - 1}) n;
    insert into webhook_endpoints (account_id, id, url, events, status, source, secret, created_at, updated_at)
    select ${one.account(`n % ${sizes.accounts}`)}, ${one.endpoint('n')}, 'https://example.com/hooks/' || n, '{payment.created}', 'active', 'api', '\\x00',
      ${at(`${start}`)}, ${at(`${start}`)} from generate_series(0, ${sizes.endpoints - 1}) n`);
  await fill(client, 'payments', paymentRows(sizes.payments));
  await fill(client, 'charges', chargeRows(sizes.charges));
  await fill(client, 'open_spans', openSpanRows());
  await fill(client, 'credits', creditRows(Math.ceil(sizes.charges / 10)));
  await fill(client, 'maintenance_requests', maintenanceRows(sizes.maintenance));
  await fill(client, 'events', eventRows(sizes.events));
  await fill(client, 'history', historyRows(sizes.events));
  await fill(client, 'deliveries', deliveryRows(sizes));
  await fill(client, 'delivery_attempts', attemptRows(sizes));
  await fill(client, 'delivery_queue', queueRows(sizes));
  await run('reset session_replication_role; reset maintenance_work_mem; reset synchronous_commit');
  await run('vacuum analyze');
}

const fill = (client: ClientBase, table: string, insert: string): Promise<void> =>
  withoutIndexes(client, table, () => client.query(insert));

/** Runs the work without the indexes, which are faster to build in one go. */
export async function withoutIndexes(
  client: ClientBase,
  table: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = $1::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  for (const { definition } of rows) await client.query(definition);
}

function paymentRows(count: number): string {
  const tenant = `case when n % ${Math.floor(count / tenantPayments)} = 0 then 0 else 1 + h % ${tenants - 1} end`;
  return `insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id, amount_cents, currency, paid_on, method, status,
      reversed_on, period, reference, source, created_at, updated_at)
    select '${probes.account}', ${idSql('ms', 'n')}, ${one.tenant('tenant')}, ${one.lease('tenant')}, ${one.unit('tenant')},
      ${one.property(`tenant % ${properties}`)}, 50000 + h % 200000, 'USD', paid_on,
      ${pick(['bank_transfer', 'bank_transfer', 'online', 'card', 'check', 'cash'], 'h / 7')}, status,
      case when status in ('refunded', 'returned') then paid_on + 4 end, to_char(paid_on, 'YYYY-MM'), case when h % 3 = 0 then 'CHK-' || n end, 'api', ${at('ms')}, ${at('ms')}
    from (
      select n, h, ms, ${tenant} as tenant,
        (${at('ms')} at time zone 'UTC')::date - case when h % 200 = 0 then h % 700 else h / 11 % 4 end as paid_on,
        case when part < 5 then 'voided' when part < 10 then 'refunded' when part < 20 then 'returned' when part < 35 then 'failed'
          when n > ${count} - ${count / 50} and part < 300 then 'pending' else 'paid' end as status
      from ${numbered(count)} each) payment`;
}

/** Each lease in turn, so that its charges are evenly spread. Those of the last round are due some days later. */
function chargeRows(count: number): string {
  return `insert into charges (account_id, id, lease_id, unit_id, property_id, kind, amount_cents, currency, due_on, source, overdue_from,
      voided_on, void_reason, created_at, updated_at)
    select '${probes.account}', ${idSql('ms', 'n')}, ${one.lease('lease')}, ${one.unit('lease')}, ${one.property(`lease % ${properties}`)},
      ${pick(['rent', 'rent', 'rent', 'rent', 'rent', 'utility', 'parking', 'pet', 'late_fee', 'other'], 'h / 7')}, 50000 + h % 200000, 'USD',
      due_on, 'api', due_on + 1, case when part < 10 then due_on end, case when part < 10 then 'entered twice' end, ${at('ms')}, ${at('ms')}
    from (
      select n, h, part, ms, n % ${tenants} as lease,
        (${at('ms')} at time zone 'UTC')::date + case when n > ${count} - 20 then 20 else h / 11 % 4 end as due_on
      from ${numbered(count)} each) charge`;
}

/** Payments came some days after the charges were due. Some of the last month is still open, half of that in part. */
function openSpanRows(): string {
  const h = 'hashint4(extract(epoch from created_at)::integer) & 2147483647';
  return `insert into open_spans (account_id, lease_id, kind, item_id, due_on, amount_cents, from_day, to_day)
    select account_id, lease_id, 'charge', id, due_on, case when open and h % 2 = 0 then 1000 else amount_cents end, due_on,
      case when open then null else due_on + 1 + h % 20 end
    from (select *, ${h} as h, due_on > date '${today.toISOString().slice(0, 10)}' - 25 and ${h} % 4 = 0 as open
      from charges where voided_on is null) charge`;
}

function creditRows(count: number): string {
  return `insert into credits (account_id, id, lease_id, unit_id, property_id, amount_cents, currency, credited_on, reason, source,
      voided_on, void_reason, created_at, updated_at)
    select '${probes.account}', ${idSql('ms', 'n')}, ${one.lease(`n % ${tenants}`)}, ${one.unit(`n % ${tenants}`)},
      ${one.property(`n % ${tenants} % ${properties}`)}, 1000 + h % 20000, 'USD', (${at('ms')} at time zone 'UTC')::date,
      ${pick(['concession', 'concession', 'concession', 'adjustment', 'write_off', 'deposit'], 'h / 7')}, 'api',
      case when part < 20 then (${at('ms')} at time zone 'UTC')::date end, case when part < 20 then 'entered twice' end, ${at('ms')}, ${at('ms')}
    from ${numbered(count)} each`;
}

function maintenanceRows(count: number): string {
  const tenant = `case when n % ${Math.floor(count / tenantRequests)} = 0 then 0 else 1 + h % ${tenants - 1} end`;
  return `insert into maintenance_requests (account_id, id, number, property_id, unit_id, tenant_id, title, category, priority, status,
      completed_at, source, created_at, updated_at)
    select '${probes.account}', ${idSql('ms', 'n')}, n, ${one.property(`tenant % ${properties}`)}, ${one.unit('tenant')},
      case when tenant = 0 or h % 5 < 3 then ${one.tenant('tenant')} end, 'The tap drips', 'plumbing',
      case when part < 30 then 'emergency' else ${pick(['low', 'low', 'medium', 'medium', 'medium', 'high'], 'h / 7')} end, status,
      case when status = 'completed' then ${at('ms')} end, 'api', ${at('ms')}, ${at('ms')}
    from (
      select n, h, part, ms, ${tenant} as tenant,
        case when h / 13 % 100 < 3 then 'cancelled' when n > ${count} - ${count / 20} or h / 13 % 100 < 5
          then ${pick(['open', 'scheduled', 'in_progress', 'on_hold'], 'h / 3')} else 'completed' end as status
      from ${numbered(count)} each) request`;
}

function eventRows(count: number): string {
  return `insert into events (account_id, id, event, body, created_at)
    select '${probes.account}', ${idSql('ms', 'n')}, event, '{"id":"evt_' || to_hex(n) || '","event":"' || event || '","data":{"' ||
      split_part(event, '.', 1) || '":{"id":"' || md5(n::text) || '","amount_cents":125000,"amount":"1250.00","currency":"USD","method":"card"}}}', ${at('ms')}
    from (
      select n, ms, case when part < 800 then 'payment.created' when part < 880 then 'payment.updated'
        when part < 998 then ${pick(['tenant.updated', 'unit.updated', 'maintenance_request.created'], 'h')} else 'lease.ended' end as event
      from ${numbered(count)} each) event`;
}

/** Every other change is of one of the records that are requested. */
function historyRows(count: number): string {
  const { account, ...records } = probes;
  return `insert into history (account_id, record_id, id, action, changes, actor_type, actor_name, created_at)
    select '${account}', case when n % 2 = 0 then ${pick(Object.values(records), 'n / 2')}::uuid else ${idSql('ms', 'n')} end,
      ${idSql('ms', 'n')}, 'updated', '[{"field":"memo","from":null,"to":"Rent"}]', 'clock', 'Clock', ${at('ms')}
    from ${numbered(count)} each`;
}

/** Deliveries are kept for a month. */
const kept = 30 * day;
const deliveries = ({ deliveries: count, endpoints, accounts }: Sizes) => `(
  select n, h, part, ms, endpoint, endpoint % ${accounts} as account,
    case when part < 960 then 'succeeded' when part < 990 then 'failed' else 'cancelled' end as status
  from (select *, case when n % 2 = 0 then 0 else h % ${endpoints} end as endpoint from ${numbered(count, today.getTime() - kept)} each) each)`;

/** How an attempt of a delivery went. */
const attempt = {
  columns: 'duration_ms, outcome, signature, response_headers',
  values: `40, case status when 'failed' then 'http_error' else 'success' end, 't=1790000000,v1=' || md5(n::text) || md5(h::text),
      '{"content-type":"text/plain"}'`,
  status: `case status when 'failed' then 500 else 200 end`,
  count: `case status when 'failed' then 5 else 1 end`,
};

function deliveryRows(sizes: Sizes): string {
  return `insert into deliveries (account_id, id, endpoint_id, event_id, event, kind, status, attempts, last_attempt_at, last_status, created_at, finished_at, ${attempt.columns})
    select ${one.account('account')}, ${idSql('ms', 'n')}, ${one.endpoint('endpoint')}, ${idSql('ms', 'n + 1')},
      case when h % 1000 = 7 then 'lease.ended' when h % 10 = 0 then 'payment.updated' else 'payment.created' end, 'event', status,
      ${attempt.count}, ${at('ms')}, ${attempt.status}, ${at('ms')}, ${at('ms')}, ${attempt.values}
    from ${deliveries(sizes)} delivery`;
}

/** All attempts except the last, which is stored with the delivery. */
function attemptRows(sizes: Sizes): string {
  return `insert into delivery_attempts (account_id, delivery_id, attempt, started_at, response_status, ${attempt.columns})
    select ${one.account('account')}, ${idSql('ms', 'n')}, attempt, ${at('ms')}, ${attempt.status}, ${attempt.values}
    from ${deliveries(sizes)} delivery, generate_series(1, ${attempt.count} - 1) attempt`;
}

function queueRows({ queued, endpoints, accounts }: Sizes): string {
  return `insert into delivery_queue (id, account_id, endpoint_id, event_id, event, kind, ready, next_at, created_at)
    select ${idSql('ms', 'n')}, ${one.account(`endpoint % ${accounts}`)}, ${one.endpoint('endpoint')}, ${idSql('ms', 'n + 1')}, 'payment.created', 'event',
      n % 2 = 0, case when n % 2 = 0 then ${at('ms')} else now() + interval '1 hour' end, ${at('ms')}
    from (select *, case when n <= 100 then 0 else h % ${endpoints} end as endpoint from ${numbered(queued, today.getTime() - day)} each) delivery`;
}
