import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import type { RowOf, WithId } from '../db/records/columns.ts';
import type { LeaseRow } from '../leases/leases.columns.ts';
import type { Terms } from '../ledger/rules/schedule.ts';
import type { PaymentInput } from '../payments/payments.schema.ts';
import type { tenants } from '../tenants/tenants.columns.ts';
import type { Dice } from './dice.ts';

type TenantRow = RowOf<typeof tenants>;

/** What a demo made. */
export interface DemoCounts {
  properties: number;
  units: number;
  tenants: number;
  leases: number;
  payments: number;
  maintenance_requests: number;
}

export interface DemoUnit {
  id: string;
  property_id: string;
  market_rent_cents: number;
}

export interface Demo {
  db: Db;
  caller: Caller;
  now: Date;
  /** Today in the account: all dates are counted from it. */
  today: string;
  dice: Dice;
  counts: DemoCounts;
  /** Tenants and leases of a property, written together. */
  tenants: WithId<TenantRow>[];
  leases: WithId<LeaseRow>[];
  /** Payments are collected first, and then recorded in the order of their dates, as in real life. */
  payments: PaymentInput[];
  /** What is done once all payments are recorded. */
  afterwards: (() => Promise<string>)[];
  /** Stories of tenants that are still to be told. */
  stories: Story[];
  /** How many former tenants have yet to leave a debt. */
  formerOwing: number;
}

/** A lease of the demo, with what is needed to pay its rent. */
export interface Stay {
  leaseId: string;
  tenantId: string;
  /** How the tenant pays. */
  method: string;
  terms: Terms;
  deposit: { id: string; amount_cents: number } | null;
  /** What is charged each month besides the rent. */
  extra: { from: string; amount_cents: number } | null;
  /** What happens once the lease exists. */
  then: (demo: Demo, stay: Stay) => void;
}

/** How the tenants with a story pay. Each story has one tenant, in this order; all others mostly pay on time. */
export const stories = [
  'a month behind',
  'payment plan',
  'returned payment',
  'paid ahead',
  'two months behind',
  'half a month behind',
  'concession',
  'four months behind',
] as const;

type Story = (typeof stories)[number];
