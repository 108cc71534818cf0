import { needScope } from '../api-keys/scopes.ts';
import type { Caller } from '../caller.ts';
import { date, type Field, id, json, number, objectJson, present, text, word } from '../db/records/json.ts';
import type { RecordShape } from '../db/records/shape.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { leaseStatus } from '../ledger/rules/lease-status.ts';
import { decimalAmount } from '../money.ts';
import type { Expansion } from './expand.schema.ts';

interface Asked {
  caller: Caller;
  today: string;
  expand: readonly Expansion[] | undefined;
  /** The column with the lease whose tenants are shown, for records that have no tenant of their own. */
  leaseOfTenants?: string;
}

/** The parts of the API in which each can be read by itself. */
const scopes: Record<Expansion, string> = {
  tenant: 'tenants',
  lease: 'leases',
  unit: 'units',
  property: 'properties',
};

/**
 * The shape with the requested records beside their ids, made by the same statement. Each is a select of its own over
 * one row of the page: with joins, Postgres could read all tenants of the account for a page of ten. A key is shown
 * nothing that it could not read by itself. Events are never expanded.
 */
export function expanded(shape: RecordShape, { expand, ...asked }: Asked): RecordShape {
  if (expand === undefined) return shape;
  const order = Object.keys(scopes) as Expansion[];
  const added = order
    .filter((name) => expand.includes(name))
    .map((name) => {
      needScope(asked.caller, scopes[name]);
      return fieldOf(name, shape.alias, asked);
    });
  return { ...shape, fields: [...shape.fields, ...added] };
}

function fieldOf(name: Expansion, alias: string, asked: Omit<Asked, 'expand'>): Field {
  const { caller, today, leaseOfTenants } = asked;
  const { accountId } = caller;
  const reference = raw(`${alias}.${name}_id`);
  if (name === 'tenant' && leaseOfTenants !== undefined)
    return json(tenantsOf(accountId, leaseOfTenants), 'tenants');
  if (name === 'tenant')
    return json(
      sql`select ${tenant} from tenants et where et.account_id = ${accountId} and et.id = ${reference}`,
      name,
    );
  if (name === 'lease')
    return json(
      sql`select ${lease(today)} from leases el where el.account_id = ${accountId} and el.id = ${reference}`,
      name,
    );
  if (name === 'unit')
    return json(
      sql`select ${unit} from units eu where eu.account_id = ${accountId} and eu.id = ${reference}`,
      name,
    );
  return json(
    sql`select ${property} from properties ep where ep.account_id = ${accountId} and ep.id = ${reference}`,
    name,
  );
}

const tenantsOf = (accountId: string, leaseId: string): Sql => sql`
  select coalesce('[' || string_agg(${tenant}, ',' order by elt.position) || ']', '[]')
  from lease_tenants elt join tenants et on et.account_id = ${accountId} and et.id = elt.tenant_id
  where elt.account_id = ${accountId} and elt.lease_id = ${raw(leaseId)}`;

const tenant = objectJson([
  present(id('ten', 'et.id')),
  present(text(sql`et.first_name || ' ' || et.last_name`, 'name')),
  present(text('et.first_name')),
  present(text('et.last_name')),
  text('et.email'),
  text('et.phone'),
  text('et.external_id'),
]);

const lease = (today: string): Sql =>
  objectJson([
    present(id('lease', 'el.id')),
    present(word(leaseStatus('el', today), 'status')),
    present(date('el.start_date')),
    date('el.end_date'),
    date('el.ended_on'),
    present(number('el.rent_cents')),
    present(word(decimalAmount('el.rent_cents', 'el.currency'), 'rent')),
    present(word('el.currency')),
  ]);

const unit = objectJson([
  present(id('unit', 'eu.id')),
  present(id('prop', 'eu.property_id')),
  present(text('eu.name')),
]);

const property = objectJson([
  present(id('prop', 'ep.id')),
  present(text('ep.name')),
  ...['address', 'address_line2', 'city', 'state', 'postal_code', 'country', 'external_id'].map((column) =>
    text(`ep.${column}`),
  ),
]);
