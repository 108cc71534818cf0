import type { Kind, RecordKind } from '../kind.ts';
import { charges } from './charges.ts';
import { credits } from './credits.ts';
import { leases } from './leases.ts';
import { maintenance } from './maintenance.ts';
import { payments } from './payments.ts';
import { properties } from './properties.ts';
import { tenants } from './tenants.ts';
import { units } from './units.ts';

export const kinds: Record<RecordKind, Kind> = {
  properties,
  units,
  tenants,
  leases,
  charges,
  credits,
  payments,
  maintenance,
};
