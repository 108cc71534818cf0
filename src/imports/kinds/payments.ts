import { type PaymentRow, payments as table } from '../../payments/payments.columns.ts';
import { PaymentCreate, PaymentPatch } from '../../payments/payments.schema.ts';
import { paymentWriter, refusedChange } from '../../payments/payments.ts';
import { field, reference } from '../cells/field.ts';
import { splitPeople } from '../cells/names.ts';
import { counted, date, dated, integer, money, month, naming, text, word } from '../cells/readers.ts';
import { paymentMethod, paymentStatus } from '../cells/words.ts';
import { findLeasesOn } from '../entries.store.ts';
import { findDeposits, findPaymentsLike, findTenantsOfUnit, type PaymentLike } from '../imports.store.ts';
import type { Draft, Kind, Work } from '../kind.ts';
import { leaseIdField, resolveNamed } from './named.ts';
import { nameHeaders, personFields, resolveTenant } from './people.ts';
import { propertyFields, resolveUnits, unitFields } from './property-and-unit.ts';

/**
 * Instead of naming a charge, a cell may say that the payment is for the deposit. Money that names no charge pays rent
 * first.
 */
const isDeposit = ({ cells }: Draft): boolean => /^\s*(security )?deposit\s*$/i.test(String(cells.charge_id));

async function nameDeposits({ tx, accountId }: Work, drafts: Draft[]): Promise<void> {
  // Other missing values have already been reported.
  const whole = drafts.filter(({ values }) => values.tenant_id && values.paid_on);
  const found = await findDeposits(
    tx,
    accountId,
    whole.map(({ values: { tenant_id, lease_id, paid_on } }) => ({
      tenant_id: String(tenant_id),
      lease_id: lease_id ? String(lease_id) : null,
      paid_on: String(paid_on),
    })),
  );
  for (const [at, { values, problems }] of whole.entries()) {
    const [id] = found.get(at) ?? [];
    if (id) values.charge_id = id;
    else problems.push({ field: 'charge_id', reason: 'The tenant is charged no deposit.' });
  }
}

/** The unit that each row names. It is only a hint, so an unknown unit is not an error. */
async function findUnitsOf(work: Work, drafts: Draft[]): Promise<Map<Draft, string>> {
  const naming = drafts.filter(({ cells }) =>
    ['unit_id', 'unit'].some((name) => typeof cells[name] === 'string'),
  );
  const asking = naming.map((draft): Draft => ({ ...draft, values: {}, problems: [] }));
  await resolveUnits(work, asking);
  return new Map(
    naming.flatMap((draft, at) => {
      const id = asking[at]?.values.unit_id;
      return typeof id === 'string' ? [[draft, id] as const] : [];
    }),
  );
}

/** If several tenants have the same name, the row means the one who rents the unit. */
async function takeTenantsOfUnits({ tx, accountId }: Work, units: Map<Draft, string>): Promise<void> {
  const asked = [...units].flatMap(([draft, unit_id]) => {
    const { tenant_id, email, tenant, first_name, last_name } = draft.cells;
    if (typeof tenant_id === 'string' || typeof email === 'string') return [];
    const name = typeof tenant === 'string' ? tenant : `${first_name ?? ''} ${last_name ?? ''}`;
    const found = splitPeople(name, draft.nameOrder);
    const [person] = 'people' in found ? found.people : [];
    return person ? [{ draft, unit_id, ...person }] : [];
  });
  const found = await findTenantsOfUnit(tx, accountId, asked);
  for (const [at, { draft }] of asked.entries()) {
    const [id, ...others] = found.get(at) ?? [];
    if (id !== undefined && others.length === 0) draft.values.tenant_id = id;
  }
}

/** A tenant who rents a flat and a garage pays for the one that the row names. */
async function takeLeasesOfUnits({ tx, accountId }: Work, units: Map<Draft, string>): Promise<void> {
  const asked = [...units].flatMap(([draft, unit_id]) => {
    const { tenant_id, paid_on } = draft.values;
    const isOpen = typeof draft.cells.lease_id !== 'string';
    return isOpen && typeof tenant_id === 'string' && typeof paid_on === 'string'
      ? [{ draft, unit_id, tenant_id, day: paid_on }]
      : [];
  });
  const ofUnit = await findLeasesOn(tx, accountId, asked);
  const ofTenant = await findLeasesOn(
    tx,
    accountId,
    asked.map((one) => ({ ...one, unit_id: null })),
  );
  for (const [at, { draft }] of asked.entries()) {
    const [id, ...others] = ofUnit.get(at) ?? [];
    const all = ofTenant.get(at) ?? [];
    if (id !== undefined && others.length === 0 && (all.length > 1 || all[0] !== id))
      draft.values.lease_id = id;
  }
}

export const payments: Kind = {
  name: 'payments',
  noun: 'payment',
  prefix: 'pay',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Payment ID',
      'Transaction ID',
      'Transaction Number',
      'Transaction No',
      'Trans ID',
      'Txn ID',
      'Receipt Number',
      'Receipt ID',
      'Receipt No',
      'Payment No',
      'Payment Number',
      'Receipt',
      'Confirmation Number',
    ]),
    reference('tenant_id', text, ['Tenant ID', 'Resident ID', 'Tenant External ID', 'Tenant Code']),
    naming(
      reference('tenant', text, [
        ...nameHeaders,
        'Payer',
        'Payer Name',
        'Paid By',
        'Received From',
        'Customer',
      ]),
    ),
    ...personFields,
    ...propertyFields,
    ...unitFields,
    leaseIdField,
    reference('charge_id', text, ['Charge ID', 'Charge Number', 'Charge No', 'Invoice ID', 'Invoice Number']),
    counted(
      field('amount', money, {
        also: [
          'Amount Paid',
          'Payment Amount',
          'Amount Received',
          'Paid',
          'Rent Paid',
          'Total',
          'Total Paid',
          'Sum',
          'Payment',
          'Credit',
          'Rent',
        ],
        fills: null,
        empty: 'kept',
      }),
    ),
    field('amount_cents', integer, { empty: 'kept' }),
    field('currency', text, { also: ['Currency Code'], empty: 'kept' }),
    dated(
      field('paid_on', date, {
        also: [
          'Date Paid',
          'Payment Date',
          'Paid Date',
          'Date Received',
          'Received On',
          'Received Date',
          'Received',
          'Transaction Date',
          'Posted',
          'Post Date',
          'Date Posted',
          'Posting Date',
          'Deposit Date',
          'Receipt Date',
          'Date of Payment',
          'Entry Date',
          'Date',
        ],
        empty: 'refused',
      }),
    ),
    field('method', word(paymentMethod), {
      also: ['Payment Method', 'Payment Type', 'Paid With', 'Paid Via', 'Pay Method', 'Tender', 'Type'],
      empty: 'kept',
    }),
    field('status', word(paymentStatus), { also: ['Payment Status'], empty: 'kept' }),
    dated(
      field('reversed_on', date, {
        also: [
          'Returned On',
          'Date Returned',
          'Return Date',
          'Refunded On',
          'Date Refunded',
          'Refund Date',
          'Reversal Date',
          'NSF Date',
        ],
        empty: 'kept',
      }),
    ),
    dated(
      field('period', month, { also: ['For Month', 'Rent Month', 'Rent Period', 'For Period', 'Month'] }),
    ),
    field('reference', text, {
      also: [
        'Reference Number',
        'Reference No',
        'Ref',
        'Ref No',
        'Ref Number',
        'Check Number',
        'Check No',
        'Check',
        'Check Ref',
        'Cheque Number',
        'Cheque No',
        'Cheque',
      ],
    }),
    field('memo', text, {
      also: ['Notes', 'Note', 'Comments', 'Comment', 'Description', 'Remarks', 'Details'],
    }),
  ],
  needs: [['tenant_id', 'tenant', 'email', 'last_name'], ['amount', 'amount_cents'], ['paid_on']],
  create: PaymentCreate,
  patch: PaymentPatch,
  table,
  writer: paymentWriter,
  money: { amount: 'amount_cents' },
  hasCurrency: true,
  hasExternalId: true,
  adopts: false,
  repeatable: true,
  fixed: {
    tenant_id: {
      field: 'tenant',
      reason: 'The tenant of a payment cannot change; void it and record another.',
    },
  },
  ids: { tenant_id: 'ten', lease_id: 'lease', charge_id: 'chg' },
  conflictField: 'tenant',
  async resolve(work, drafts) {
    const units = await findUnitsOf(work, drafts);
    await takeTenantsOfUnits(work, units);
    await resolveTenant(
      work,
      drafts.filter(({ values }) => values.tenant_id === undefined),
    );
    await takeLeasesOfUnits(work, units);
    await resolveNamed('lease_id', drafts, (requests) => work.references.leases(requests));
    const deposits = drafts.filter(isDeposit);
    const others = drafts.filter((draft) => !isDeposit(draft));
    await resolveNamed('charge_id', others, (requests) => work.references.charges(requests));
    await nameDeposits(work, deposits);
  },
  nature: ({ values: { tenant_id, paid_on, amount_cents, currency, reference } }) =>
    JSON.stringify([tenant_id, paid_on, amount_cents, currency ?? null, reference ?? null]),
  /**
   * Payments are the same if the tenant, day, amount and reference are. Two such rows are two payments: the first row
   * is the oldest of those in the database, and so on.
   */
  async findSame({ tx, accountId }, drafts) {
    // Equal rows are looked up once, because a file may have thousands of them.
    const natures = drafts.map(payments.nature);
    const alike = [...new Map(drafts.map((draft, at) => [natures[at] ?? '', draft.values])).entries()];
    const found = await findPaymentsLike(
      tx,
      accountId,
      alike.map(([, values]) => values as unknown as PaymentLike),
    );
    const byNature = new Map(alike.map(([nature], at) => [nature, found.get(at) ?? []]));
    drafts.forEach((draft, at) => {
      draft.recordId = byNature.get(natures[at] ?? '')?.[draft.before.count] ?? null;
    });
  },
  refuse(before, next) {
    const refusal = refusedChange(before as unknown as PaymentRow, next as unknown as PaymentRow);
    return refusal === null ? null : { field: 'status', reason: refusal.message };
  },
};
