import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import { todayIn } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import type { Table } from '../db/records/columns.ts';
import { getRecord, type RecordShape } from '../db/records/shape.ts';
import { leases } from '../leases/leases.columns.ts';
import { Lease, LeaseCreate, LeasePatch, LeaseQuery } from '../leases/leases.schema.ts';
import { changeLease, leaseWriter, makeLease } from '../leases/leases.ts';
import { charges } from '../ledger/charges/charges.columns.ts';
import { Charge, ChargeCreate, ChargeQuery } from '../ledger/charges/charges.schema.ts';
import { chargeWriter, makeCharge } from '../ledger/charges/charges.ts';
import { credits } from '../ledger/credits/credits.columns.ts';
import { Credit, CreditCreate } from '../ledger/credits/credits.schema.ts';
import { creditWriter, giveCredit } from '../ledger/credits/credits.ts';
import { type RecurringRow, recurringCharges } from '../ledger/recurring/recurring.columns.ts';
import {
  RecurringCharge,
  RecurringChargeCreate,
  RecurringChargePatch,
} from '../ledger/recurring/recurring.schema.ts';
import { changeRecurring, makeRecurring, recurringShape } from '../ledger/recurring/recurring.ts';
import { maintenanceRequests } from '../maintenance/maintenance.columns.ts';
import {
  MaintenanceCreate,
  MaintenancePatch,
  MaintenanceQuery,
  MaintenanceRequest,
} from '../maintenance/maintenance.schema.ts';
import { changeMaintenance, maintenanceShape, requestMaintenance } from '../maintenance/maintenance.ts';
import { TenantCreate } from '../move-in/move-in.schema.ts';
import { type PaymentRow, payments } from '../payments/payments.columns.ts';
import { Payment, PaymentCreate, PaymentPatch, PaymentQuery } from '../payments/payments.schema.ts';
import { changePayment, isReversed, paymentWriter, recordPayment } from '../payments/payments.ts';
import { properties } from '../properties/properties.columns.ts';
import { Property, PropertyCreate, PropertyPatch } from '../properties/properties.schema.ts';
import { addProperty, changeProperty, propertyWriter } from '../properties/properties.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import { Tenant, TenantPatch } from '../tenants/tenants.schema.ts';
import { addTenant, changeTenant, tenantWriter } from '../tenants/tenants.ts';
import { units } from '../units/units.columns.ts';
import { Unit, UnitCreate, UnitPatch } from '../units/units.schema.ts';
import { addUnit, changeUnit, unitWriter } from '../units/units.ts';

type Values = Record<string, unknown>;

/** A noun as PUT by external_id writes it. */
export interface UpsertNoun {
  path: string;
  tag: string;
  /** As in "a tenant". */
  one: string;
  table: Table;
  shape(accountId: string, today: string): RecordShape;
  record: z.ZodType;
  create: z.ZodObject;
  /** Null if nothing in it can change. */
  patch: z.ZodObject | null;
  /** What to do instead of changing what cannot change. */
  instead: string;
  /** Fields of `create` that PUT does not take. */
  without?: readonly string[];
  /** What it can show beside its ids, like GET by id. */
  expansion?: { query: z.ZodObject; of?: { leaseOfTenants: string } };
  /** Whether the ledger is recalculated before the record is shown. */
  fresh?: true;
  /** Turns what was sent into a patch, so that sending it again changes nothing. */
  adjust?(current: Values, patch: Values): Values;
  add(db: Db, caller: Caller, input: Values, now: Date): Promise<string>;
  change(db: Db, caller: Caller, id: string, patch: Values, now: Date): Promise<string>;
}

/** Gives a noun's verbs the types of its own schemas. */
function noun<Create extends z.ZodObject, Patch extends z.ZodObject | null, Row>(
  definition: Omit<UpsertNoun, 'create' | 'patch' | 'adjust' | 'add' | 'change'> & {
    create: Create;
    patch: Patch;
    adjust?(current: Row, patch: PatchOf<Patch>): PatchOf<Patch>;
    add(db: Db, caller: Caller, input: z.output<Create>, now: Date): Promise<string>;
    change(db: Db, caller: Caller, id: string, patch: PatchOf<Patch>, now: Date): Promise<string>;
  },
): UpsertNoun {
  return definition as unknown as UpsertNoun;
}

type PatchOf<Patch> = Patch extends z.ZodObject ? z.output<Patch> : Values;

/** A charge or a credit never changes, so the existing one must be equal. */
const show =
  (shape: UpsertNoun['shape']) =>
  (db: Db, caller: Caller, id: string, _patch: Values, now: Date): Promise<string> =>
    getRecord(db, shape(caller.accountId, todayIn(caller.timeZone, now)), caller.accountId, id);

export const upsertNouns: UpsertNoun[] = [
  noun({
    path: '/properties',
    tag: 'Properties',
    one: 'a property',
    table: properties,
    shape: propertyWriter.shape,
    record: Property,
    create: PropertyCreate,
    patch: PropertyPatch,
    instead: '',
    // They have a PUT of their own.
    without: ['units'],
    add: addProperty,
    change: changeProperty,
  }),
  noun({
    path: '/units',
    tag: 'Units',
    one: 'a unit',
    table: units,
    shape: unitWriter.shape,
    record: Unit,
    create: UnitCreate,
    patch: UnitPatch,
    instead: 'Add another unit to that property.',
    add: addUnit,
    change: changeUnit,
  }),
  noun({
    path: '/tenants',
    tag: 'Tenants',
    one: 'a tenant',
    table: tenants,
    shape: tenantWriter.shape,
    record: Tenant,
    create: TenantCreate,
    patch: TenantPatch,
    instead: '',
    // Leases have a PUT of their own.
    without: ['lease'],
    add: addTenant,
    change: changeTenant,
  }),
  noun({
    path: '/leases',
    tag: 'Leases',
    one: 'a lease',
    table: leases,
    shape: leaseWriter.shape,
    record: Lease,
    create: LeaseCreate,
    patch: LeasePatch,
    expansion: { query: LeaseQuery, of: { leaseOfTenants: 'l.id' } },
    instead: 'End it, and make another.',
    add: makeLease,
    change: changeLease,
  }),
  noun({
    path: '/payments',
    tag: 'Payments',
    one: 'a payment',
    table: payments,
    shape: paymentWriter.shape,
    record: Payment,
    create: PaymentCreate,
    patch: PaymentPatch,
    expansion: { query: PaymentQuery },
    instead: 'Void it, and record another.',
    // The fee was charged when the payment was returned.
    adjust: ({ status }: PaymentRow, { fee_cents, ...patch }) =>
      isReversed(status) ? patch : { ...patch, fee_cents },
    add: recordPayment,
    change: changePayment,
  }),
  noun({
    path: '/charges',
    tag: 'Charges',
    one: 'a charge',
    table: charges,
    shape: chargeWriter.shape,
    record: Charge,
    create: ChargeCreate,
    patch: null,
    expansion: { query: ChargeQuery, of: { leaseOfTenants: 'c.lease_id' } },
    instead: 'Void the charge, and make another.',
    fresh: true,
    add: makeCharge,
    change: show(chargeWriter.shape),
  }),
  noun({
    path: '/credits',
    tag: 'Credits',
    one: 'a credit',
    table: credits,
    shape: creditWriter.shape,
    record: Credit,
    create: CreditCreate,
    patch: null,
    instead: 'Void the credit, and give another.',
    add: giveCredit,
    change: show(creditWriter.shape),
  }),
  noun({
    path: '/recurring-charges',
    tag: 'Recurring charges',
    one: 'a recurring charge',
    table: recurringCharges,
    shape: recurringShape,
    record: RecurringCharge,
    create: RecurringChargeCreate,
    patch: RecurringChargePatch,
    instead: 'End it, and make another.',
    // The amount that is charged now. A different one takes effect from the next due day that is not posted yet.
    adjust: ({ amount_cents, amount_changes }: RecurringRow, patch) =>
      patch.amount_cents === (amount_changes.at(-1)?.amount_cents ?? amount_cents)
        ? { ...patch, amount_cents: undefined }
        : patch,
    add: makeRecurring,
    change: changeRecurring,
  }),
  noun({
    path: '/maintenance',
    tag: 'Maintenance',
    one: 'a maintenance request',
    table: maintenanceRequests,
    shape: () => maintenanceShape,
    record: MaintenanceRequest,
    create: MaintenanceCreate,
    patch: MaintenancePatch,
    expansion: { query: MaintenanceQuery },
    instead: '',
    add: requestMaintenance,
    change: changeMaintenance,
  }),
];
