import { z } from 'zod';
import { hasScope, needScope } from '../api-keys/scopes.ts';
import type { Caller } from '../caller.ts';
import { exampleId } from '../fields.ts';
import { parseId } from '../ids.ts';

/** The kinds of record that can have files: the prefix of their ids, and the part of the API that shows them. */
export const recordKinds = [
  { type: 'property', prefix: 'prop', table: 'properties', scope: 'properties' },
  { type: 'unit', prefix: 'unit', table: 'units', scope: 'units' },
  { type: 'tenant', prefix: 'ten', table: 'tenants', scope: 'tenants' },
  { type: 'lease', prefix: 'lease', table: 'leases', scope: 'leases' },
  { type: 'payment', prefix: 'pay', table: 'payments', scope: 'payments' },
  { type: 'maintenance_request', prefix: 'mnt', table: 'maintenance_requests', scope: 'maintenance' },
] as const;

export type RecordType = (typeof recordKinds)[number]['type'];
export const recordTypes = recordKinds.map(({ type }) => type) as [RecordType, ...RecordType[]];

/** A record with files. Its id is the uuid. */
export interface RecordRef {
  type: RecordType;
  id: string;
}

const prefixes = recordKinds.map(({ prefix }) => prefix);
const message = `Must be the id of a record: ${prefixes.join('_, ')}_ and 32 hexadecimal digits.`;
const pattern = `^(${prefixes.join('|')})_[0-9a-f]{32}$`;

/** The public id of a record, parsed to its kind and its uuid. */
export const recordId = z
  .string(message)
  .transform((value, context): RecordRef => {
    for (const { type, prefix } of recordKinds) {
      const id = parseId(prefix, value);
      if (id !== null) return { type, id };
    }
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ idPrefix: 'prop', pattern, examples: [exampleId('prop')] });

export const shownRecordId = z
  .string()
  .regex(new RegExp(pattern))
  .meta({ examples: [exampleId('prop')] });

const kindOf = (type: RecordType) => recordKinds.find((kind) => kind.type === type) ?? recordKinds[0];

export const tableOf = (type: RecordType): string => kindOf(type).table;

/** A key that may not read tenants cannot get at their documents either. */
export const needScopeOf = (caller: Caller, type: RecordType): void => needScope(caller, kindOf(type).scope);

/** The kinds of record whose files the caller may see; null for all. */
export function visibleTypes(caller: Caller): RecordType[] | null {
  const visible = recordKinds.filter(({ scope }) => hasScope(caller, scope)).map(({ type }) => type);
  return visible.length === recordKinds.length ? null : visible;
}
