import { erasedName } from '../files/files.ts';
import { formatId } from '../ids.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import type { AboutTenant } from './about-tenant.store.ts';

/** Replaces texts that must not be empty. */
export const erasedNote = '[erased]';
export const erasedReason = 'Erased';
export const erasedTitle = 'Request of an erased tenant';

type Fields = Readonly<Record<string, string | null>>;

/** All columns of a tenant are about a person, including those of later releases. */
export const erasedTenant: Fields = {
  ...Object.fromEntries(Object.keys(tenants.columns).map((name) => [name, null])),
  first_name: 'Erased',
  last_name: 'tenant',
};

/** Fields of a payment or a maintenance request. */
const erasedOfTenant: Fields = {
  reference: null,
  memo: null,
  title: erasedTitle,
  description: null,
  resolution: null,
};

/** Fields of a charge, a credit and the like. */
const erasedOfLease: Fields = { memo: null, void_reason: erasedReason };

const personalFields = new Set(
  [erasedTenant, erasedOfTenant, erasedOfLease].flatMap((fields) => Object.keys(fields)),
);

/** What is removed from JSON. Records are recognised by their ids, wherever they are in it. */
interface Redaction {
  tenant: string;
  leases: ReadonlySet<string>;
  /** Records whose files are erased. */
  withFiles: ReadonlySet<string>;
  /** Ids of history entries that are notes. */
  notes: ReadonlySet<string>;
}

export const redactionOf = (
  { tenantId, ownLeaseIds, withFiles }: AboutTenant,
  noteIds: string[] = [],
): Redaction => ({
  tenant: formatId('ten', tenantId),
  leases: new Set(ownLeaseIds.map((id) => formatId('lease', id))),
  withFiles: new Set(withFiles),
  notes: new Set(noteIds.map((id) => formatId('hst', id))),
});

/** The text of a JSON value without what is personal in it. Returns the same text if there is nothing. */
export function redactText(json: string, redaction: Redaction): string {
  const value: unknown = JSON.parse(json);
  const redacted = redact(value, redaction);
  return redacted === value ? json : JSON.stringify(redacted);
}

/** The changes of one of the tenant's records. Like those of a secret, both values of a personal field become null. */
export function redactChanges(changes: string, redaction: Redaction): string {
  const list = JSON.parse(changes) as { field: string }[];
  return JSON.stringify(
    list.map((change) =>
      personalFields.has(change.field)
        ? { field: change.field, from: null, to: null }
        : redact(change, redaction),
    ),
  );
}

/** Returns the same value if there is nothing personal in it. */
function redact(value: unknown, redaction: Redaction): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redact(item, redaction));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  const record = value as Record<string, unknown>;
  const erased = erasedFields(record, redaction);
  let isChanged = false;
  const entries = Object.entries(record).map(([name, before]) => {
    const after = before !== null && name in erased ? erased[name] : redact(before, redaction);
    isChanged ||= after !== before;
    return [name, after];
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

function erasedFields(
  { id, tenant_id, lease_id, record }: Record<string, unknown>,
  { tenant, leases, withFiles, notes }: Redaction,
): Fields {
  if (id === tenant) return erasedTenant;
  if (tenant_id === tenant) return erasedOfTenant;
  if (leases.has(String(lease_id))) return erasedOfLease;
  if (withFiles.has(String(record))) return { name: erasedName };
  return notes.has(String(id)) ? { note: erasedNote } : {};
}
