import type { z } from 'zod';
import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { newRow } from '../db/records/columns.ts';
import type { AppError } from '../errors.ts';
import { writing } from '../events/writer.ts';
import { Lease, LeaseCreate } from '../leases/leases.schema.ts';
import { makeLease, makeLeases } from '../leases/leases.ts';
import { Charge, ChargeCreate } from '../ledger/charges/charges.schema.ts';
import { makeCharge, makeCharges } from '../ledger/charges/charges.ts';
import { TenantCreate } from '../move-in/move-in.schema.ts';
import { addWithLease, needScopes } from '../move-in/move-in.ts';
import { Payment, PaymentCreate } from '../payments/payments.schema.ts';
import { recordPayment, recordPayments } from '../payments/payments.ts';
import { tenants } from '../tenants/tenants.columns.ts';
import { Tenant } from '../tenants/tenants.schema.ts';
import { tenantWriter } from '../tenants/tenants.ts';
import { units } from '../units/units.columns.ts';
import { Unit, UnitCreate } from '../units/units.schema.ts';
import { addUnit, unitWriter } from '../units/units.ts';

export type Values = Record<string, unknown>;

/** A noun as a batch creates it. */
export interface BatchNoun {
  path: string;
  tag: string;
  /** As in "many tenants". */
  many: string;
  record: z.ZodType;
  create: z.ZodObject;
  /** Does exactly what a POST of one record does. */
  add(tx: Db, caller: Caller, input: Values, now: Date): Promise<string>;
  /**
   * Does the same for many, in a few statements. Returns for each, in order, its JSON or what is wrong with it. Throws
   * if none was written.
   */
  addAll(tx: Db, caller: Caller, inputs: Values[], now: Date): Promise<(string | AppError)[]>;
  /** Whether addAll cannot create this record. */
  goesAlone?(input: Values): boolean;
}

/** Gives a noun's verbs the types of its own schema. */
function noun<Create extends z.ZodObject, Input = z.output<Create>>(
  definition: Omit<BatchNoun, 'create' | 'add' | 'addAll' | 'goesAlone'> & {
    create: Create;
    add(tx: Db, caller: Caller, input: Input, now: Date): Promise<string>;
    addAll(tx: Db, caller: Caller, inputs: Input[], now: Date): Promise<(string | AppError)[]>;
    goesAlone?(input: Input): boolean;
  },
): BatchNoun {
  return definition as unknown as BatchNoun;
}

export const batchNouns: BatchNoun[] = [
  noun({
    path: '/units',
    tag: 'Units',
    many: 'units',
    record: Unit,
    create: UnitCreate,
    add: addUnit,
    addAll: (tx, caller, inputs, now) =>
      unitWriter.add(
        tx,
        writing(caller, now),
        inputs.map((input) => newRow(units, input)),
      ),
  }),
  noun({
    path: '/tenants',
    tag: 'Tenants',
    many: 'tenants',
    record: Tenant,
    create: TenantCreate,
    add(tx, caller, input, now) {
      needScopes(caller, input);
      return addWithLease(tx, caller, input, now);
    },
    goesAlone: ({ lease }) => lease !== undefined,
    addAll: (tx, caller, inputs, now) =>
      tenantWriter.add(
        tx,
        writing(caller, now),
        inputs.map((input) => newRow(tenants, input)),
      ),
  }),
  noun({
    path: '/leases',
    tag: 'Leases',
    many: 'leases',
    record: Lease,
    create: LeaseCreate,
    add: makeLease,
    addAll: makeLeases,
  }),
  noun({
    path: '/payments',
    tag: 'Payments',
    many: 'payments',
    record: Payment,
    create: PaymentCreate,
    add: recordPayment,
    addAll: recordPayments,
    goesAlone: ({ fee_cents }) => Boolean(fee_cents),
  }),
  noun({
    path: '/charges',
    tag: 'Charges',
    many: 'charges',
    record: Charge,
    create: ChargeCreate,
    add: makeCharge,
    addAll: makeCharges,
  }),
];
