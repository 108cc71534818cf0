import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { listRecords, type Page } from '../db/lists/list.ts';
import { oneOf } from '../db/lists/selections.ts';
import type { SortKeys } from '../db/lists/sorted-rows.ts';
import { shapeOf } from '../db/records/columns.ts';
import { number, word } from '../db/records/json.ts';
import type { Computed } from '../db/records/rows.ts';
import { rowsAsTable } from '../db/records/rows-as-table.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { numbered } from '../db/records/written-in.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { decimalAmount } from '../money.ts';
import type { PageBounds } from '../paging.ts';
import { type Searched, searchByNames } from '../search/search-by-names.ts';
import { maintenanceRequests } from './maintenance.columns.ts';
import {
  type MaintenanceFilter,
  maintenancePriorities,
  type maintenanceSortFields,
  maintenanceStatuses,
} from './maintenance.schema.ts';

export const maintenanceShape: RecordShape = shapeOf(
  maintenanceRequests,
  {
    id: [number('m.number')],
    cost_cents: [word(decimalAmount('m.cost_cents', 'a.currency'), 'cost'), word('a.currency')],
  },
  sql`join accounts a on a.id = m.account_id`,
);

/**
 * Writes this many new rows with the account's next numbers, in the order of their ids. Numbers that are not written
 * are not used up. On a distributed database a statement beforehand takes them, because an insert that reads what
 * another step has written needs every node.
 */
export function withNumbers<Result>(
  db: Db,
  accountId: string,
  count: number,
  write: (db: Db, first: { first?: Sql }, computed: Computed) => Promise<Result>,
): Promise<Result> {
  const taken = sql`
    insert into account_counters (account_id, maintenance_number) values (${accountId}, ${count}::integer)
    on conflict (account_id) do update set maintenance_number = account_counters.maintenance_number + ${count}::integer
    returning maintenance_number`;
  const numbersFrom = (next: Sql): Computed => ({
    values: {
      number: sql`next.maintenance_number - ${count}::integer + row_number() over (order by n.id)`,
      ...numbered,
    },
    joins: sql`cross join ${next}`,
  });
  if (!db.isDistributed()) return write(db, { first: sql`next as (${taken})` }, numbersFrom(raw('next')));
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ maintenance_number: number }>(taken);
    const next = sql`(select ${row?.maintenance_number}::integer as maintenance_number) next`;
    return write(tx, {}, numbersFrom(next));
  });
}

interface Asked {
  id: string;
  tenant_id: string | null;
  property_id: string;
}

/**
 * The requests whose tenant rents only elsewhere. A tenant without a lease may ask for repairs anywhere. A property
 * that does not exist is refused later, for that reason.
 */
export async function findAskedElsewhere(db: Db, accountId: string, asked: Asked[]): Promise<Set<string>> {
  const named = asked.filter(({ tenant_id }) => tenant_id !== null);
  if (named.length === 0) return new Set();
  const rows = await db.query<{ id: string }>(sql`
    select n.id from ${rowsAsTable(named, { id: 'uuid', tenant_id: 'uuid', property_id: 'uuid' })}
    join lateral (
      select bool_or(l.property_id = n.property_id) as here
      from lease_tenants lt join leases l on l.account_id = ${accountId} and l.id = lt.lease_id
      where lt.account_id = ${accountId} and lt.tenant_id = n.tenant_id) rents on not rents.here
    where exists (select from properties where account_id = ${accountId} and id = n.property_id)`);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The same expressions as in the indexes. Requests without a due day come after all others; emergencies have the
 * highest priority.
 */
const sortKeys: SortKeys<(typeof maintenanceSortFields)[number]> = {
  due_on: { key: (m) => `coalesce(${m}.due_on, 'infinity'::date)`, type: 'date' },
  priority: {
    key: (m) => `array_position(array['low', 'medium', 'high', 'emergency'], ${m}.priority)`,
    type: 'integer',
  },
};

const searched: Searched = {
  table: 'maintenance_requests',
  alias: 'm',
  text: `lower(' ' || m.title || ' ' || m.number || ' ' || coalesce(m.description, '') || ' ' ||
    coalesce(m.assigned_to, '') || ' ' || coalesce(m.external_id, ''))`,
  tenants: 'tenant_id',
  unitsVia: 'own',
};

/** The indexes have status, then priority, then the id, so a missing filter means all of its values. */
export function listMaintenance(
  db: Db,
  shape: RecordShape,
  caller: Caller,
  filter: MaintenanceFilter,
  bounds: PageBounds,
): Promise<Page> {
  const { accountId } = caller;
  const { external_id, property_id, tenant_id, status, priority, q } = filter;
  const search = q === undefined ? undefined : searchByNames(searched, caller, q);
  const others = [
    ...(property_id === undefined ? [] : [sql`m.property_id = ${property_id}`]),
    ...(status === undefined ? [] : [sql`m.status = any(${status})`]),
    ...(priority === undefined ? [] : [sql`m.priority = any(${priority})`]),
  ];
  const sorting = { keys: sortKeys };
  if (external_id !== undefined || tenant_id !== undefined) {
    const [few, ...conditions] = [
      ...(external_id === undefined ? [] : [sql`m.external_id = ${external_id}`]),
      ...(tenant_id === undefined ? [] : [sql`m.tenant_id = ${tenant_id}`]),
      ...others,
    ];
    return listRecords(db, shape, { accountId, bounds, search, ...(few && { few }), conditions, sorting });
  }
  if (search !== undefined)
    return listRecords(db, shape, { accountId, bounds, search, conditions: others, sorting });
  const statuses = status ?? (property_id === undefined ? undefined : maintenanceStatuses);
  const priorities = priority ?? (statuses === undefined ? undefined : maintenancePriorities);
  const selection = [
    ...(property_id === undefined
      ? []
      : [{ column: 'property_id', value: property_id, selective: true as const }]),
    ...(statuses === undefined ? [] : [oneOf('status', statuses)]),
    ...(priorities === undefined ? [] : [oneOf('priority', priorities)]),
  ];
  return listRecords(db, shape, { accountId, bounds, selections: [selection], sorting });
}
