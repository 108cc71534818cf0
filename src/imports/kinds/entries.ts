import { reference, type Values } from '../cells/field.ts';
import { date, dated, naming, text } from '../cells/readers.ts';
import { paymentStatus } from '../cells/words.ts';
import { findCurrenciesOf, findLeasesOn } from '../entries.store.ts';
import type { Draft, Kind, Work } from '../kind.ts';
import type { Found } from '../references.ts';
import { leaseIdField } from './named.ts';
import { nameHeaders, personFields, resolveTenants } from './people.ts';
import { propertyFields, resolveUnits, unitFields } from './property-and-unit.ts';

/*
 * What files of charges and of credits share. An entry of a ledger never changes: a row about an existing entry either
 * says the same, or is refused.
 */

/** Columns that name the lease: its own id, or a unit or a tenant that has it. */
export const leaseFields = [
  leaseIdField,
  ...propertyFields,
  ...unitFields,
  reference('tenant_ids', text, ['Tenant ID', 'Resident ID', 'Tenant External ID', 'Tenant Code']),
  naming(reference('tenants', text, [...nameHeaders, 'Customer', 'Account Name'])),
  ...personFields,
];

export const needsLease = ['lease_id', 'unit_id', 'tenant_ids', 'email', 'last_name', 'tenants', 'unit'];

/** Columns in which a file shows that an entry no longer counts. */
export const voidFields = [
  dated(reference('voided_on', date, ['Void Date', 'Date Voided', 'Voided'])),
  reference('status', text, []),
];

/** Entries that never counted are not imported. */
export const isVoided = ({ cells }: Draft): boolean =>
  typeof cells.voided_on === 'string' || paymentStatus(String(cells.status)) === 'voided';

/** Values that cannot change, for `fixed`. */
export const neverChanges = (noun: string, fields: Record<string, string>): Kind['fixed'] => {
  const reason = `A ${noun} never changes; void it, then import it again.`;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { field, reason }]));
};

/** A voided entry makes room for a correct one with the same key. */
export const isReplaced =
  (fixed: Kind['fixed']) =>
  ({ values }: Draft, before: Values): boolean =>
    before.voided_on !== null &&
    Object.keys(fixed).some((name) => values[name] !== undefined && values[name] !== before[name]);

/**
 * Sets lease_id and its currency. Without an id it takes the lease of the unit or tenant that runs on the day; or else
 * the next one, because fees come before moving in; or else the last one, because some come after moving out.
 */
export async function resolveLeases(work: Work, drafts: Draft[], dayField: string): Promise<void> {
  const [named, others] = [drafts.filter(hasAny('lease_id')), drafts.filter(hasNone('lease_id'))];
  const found = await work.references.leases(
    named.map(({ cells }) => ({ text: String(cells.lease_id), reads: 'ids' })),
  );
  named.forEach((draft, at) => {
    take(draft, 'lease_id', found[at]);
  });
  await resolveUnits(work, others.filter(hasAny('unit_id', 'unit')));
  await resolveTenants(work, others.filter(hasAny('tenant_ids', 'tenants', 'email', 'last_name')));
  await resolveByDay(work, others.filter(isGood), dayField);
  await takeCurrencies(work, drafts.filter(isGood));
}

const isGood = ({ problems }: Draft): boolean => problems.length === 0;
const hasAny =
  (...names: string[]) =>
  ({ cells }: Draft): boolean =>
    names.some((name) => typeof cells[name] === 'string');
const hasNone =
  (...names: string[]) =>
  (draft: Draft): boolean =>
    !hasAny(...names)(draft);

function take(draft: Draft, field: string, found: Found | undefined): void {
  if (found && 'id' in found) draft.values.lease_id = found.id;
  else draft.problems.push({ field, reason: found?.reason ?? 'Cannot be found.' });
}

async function resolveByDay(work: Work, drafts: Draft[], dayField: string): Promise<void> {
  const found = await findLeasesOn(
    work.tx,
    work.accountId,
    drafts.map(({ values }) => ({
      unit_id: (values.unit_id as string | undefined) ?? null,
      tenant_id: (values.tenant_ids as string[] | undefined)?.[0] ?? null,
      day: (values[dayField] as string | undefined) ?? work.today,
    })),
  );
  drafts.forEach((draft, at) => {
    const { unit_id, tenant_ids } = draft.values;
    delete draft.values.unit_id;
    delete draft.values.tenant_ids;
    const [id, ...more] = found.get(at) ?? [];
    const field = tenant_ids === undefined ? 'unit' : 'tenants';
    if (unit_id === undefined && tenant_ids === undefined)
      draft.problems.push({ field: 'lease_id', reason: 'Must name a lease, a unit or a tenant.' });
    else if (id === undefined) draft.problems.push({ field, reason: noLease(unit_id, tenant_ids) });
    else if (more.length > 0)
      draft.problems.push({ field, reason: 'There are several leases on this day; name the unit as well.' });
    else draft.values.lease_id = id;
  });
}

function noLease(unitId: unknown, tenantIds: unknown): string {
  if (tenantIds === undefined) return 'This unit has no lease.';
  return unitId === undefined ? 'This tenant has no lease.' : 'This tenant has no lease of this unit.';
}

/** An entry is in the currency of its lease. */
async function takeCurrencies({ tx, accountId }: Work, drafts: Draft[]): Promise<void> {
  const ids = drafts.map(({ values }) => String(values.lease_id));
  const currencies = await findCurrenciesOf(tx, accountId, [...new Set(ids)]);
  drafts.forEach((draft, at) => {
    const currency = currencies.get(ids[at] ?? '');
    const said = draft.cells.currency;
    if (typeof said === 'string' && said.trim().toUpperCase() !== currency)
      draft.problems.push({ field: 'currency', reason: `The lease is in ${currency}.` });
    draft.values.currency = currency;
  });
}

/**
 * Matches rows with existing entries that have the same contents: of equal rows, the first is the oldest entry, and so
 * on. A row with a key is matched only with entries that Tenure made itself and that have no other key.
 */
export function matchSame(drafts: Draft[], found: Map<number, string[]>, nature: Kind['nature']): void {
  const taken = new Set<string>();
  drafts.forEach((draft, at) => {
    const ids = found.get(at) ?? [];
    const { keys, before } = draft;
    const keyed = keys.id !== null || keys.external !== null;
    if (!keyed) draft.recordId = ids[before.count] ?? null;
    else draft.recordId = ids.find((id) => !taken.has(`${nature(draft)} ${id}`)) ?? null;
    if (keyed && draft.recordId !== null) taken.add(`${nature(draft)} ${draft.recordId}`);
  });
}
