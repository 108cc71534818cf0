import type { WithId } from '../../db/records/columns.ts';
import { type LeaseRow, leases as table } from '../../leases/leases.columns.ts';
import { LeaseCreate, LeasePatch } from '../../leases/leases.schema.ts';
import { leaseWriter } from '../../leases/leases.ts';
import { withLedgerBegin } from '../../leases/ledger-begin.ts';
import { field, reference } from '../cells/field.ts';
import { counted, date, dated, integer, money, naming, number, text, word } from '../cells/readers.ts';
import { prorationWord } from '../cells/words.ts';
import { findLeasesByStart } from '../imports.store.ts';
import type { Draft, Kind } from '../kind.ts';
import { lateFeesField, rentChangeFields, takeRentChanges } from './lease-terms.ts';
import { nameHeaders, personFields, resolveTenants } from './people.ts';
import { propertyFields, resolveUnits, unitFields } from './property-and-unit.ts';
import { matchOne } from './same.ts';

export const leases: Kind = {
  name: 'leases',
  noun: 'lease',
  prefix: 'lease',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Lease ID',
      'Lease Number',
      'Lease No',
      'Contract Number',
      'Agreement ID',
      'Code',
      'Ref',
      'Reference',
    ]),
    ...propertyFields,
    ...unitFields,
    reference('tenant_ids', text, ['Tenant ID', 'Resident ID', 'Tenant External ID', 'Tenant Code']),
    naming(reference('tenants', text, nameHeaders)),
    ...personFields,
    dated(
      field('start_date', date, {
        also: [
          'Lease Start',
          'Lease Start Date',
          'Lease From',
          'Move-in',
          'Move-in Date',
          'Start',
          'From',
          'Begin',
          'Begin Date',
          'Commencement',
          'Commencement Date',
          'Lease Begin',
          'Lease Begins',
        ],
        empty: 'refused',
      }),
    ),
    dated(
      field('end_date', date, {
        also: [
          'Lease End',
          'Lease End Date',
          'Lease To',
          'Lease Ends',
          'Lease Expiration',
          'Lease Expires',
          'Expiration Date',
          'Expiration',
          'Expires',
          'End',
          'To',
          'Expiry',
          'Until',
          'Move-out',
          'Move-out Date',
        ],
      }),
    ),
    counted(
      field('rent', money, {
        also: [
          'Monthly Rent',
          'Rent Amount',
          'Lease Rent',
          'Current Rent',
          'Rent per Month',
          'Base Rent',
          'Recurring Rent',
          'Amount',
        ],
        fills: null,
        empty: 'kept',
      }),
    ),
    field('rent_cents', integer, { empty: 'kept' }),
    counted(
      field('deposit', money, {
        also: ['Security Deposit', 'Deposit Amount', 'Deposits', 'Deposit Held', 'Bond'],
        fills: null,
      }),
    ),
    field('deposit_cents', integer),
    field('currency', text, { also: ['Currency Code'], empty: 'kept' }),
    field('due_day', number, {
      also: ['Rent Due Day', 'Day Due', 'Rent Day', 'Rent Due', 'Due', 'Due On'],
      empty: 'kept',
    }),
    dated(field('notice_given_on', date, { also: ['Notice Date', 'Notice Given', 'Notice'] })),
    // This comes after end_date, which takes the move-out date if there is no column for the agreed end.
    dated(
      field('ended_on', date, {
        also: [
          'Ended',
          'Moved Out',
          'Vacated',
          'Actual Move-out',
          'Actual End',
          'Termination Date',
          'Terminated',
          'Move-out',
          'Move-out Date',
        ],
      }),
    ),
    dated(
      field('ledger_from', date, {
        also: [
          'Ledger Start',
          'Ledger Begins',
          'Ledger Date',
          'Balance As Of',
          'As Of',
          'Balance Date',
          'Opening Date',
        ],
        empty: 'kept',
      }),
    ),
    counted(
      field('opening_balance', money, {
        also: [
          'Balance Forward',
          'Starting Balance',
          'Beginning Balance',
          'Previous Balance',
          'Prior Balance',
        ],
        fills: null,
        empty: 'kept',
      }),
    ),
    field('opening_balance_cents', integer, { empty: 'kept' }),
    // In a list of today's balances. The balance becomes the opening balance of a lease that is new here, and of no
    // other: next month's list would include what the ledger counts by itself.
    counted(
      field('balance', money, {
        also: [
          'Current Balance',
          'Balance Due',
          'Outstanding Balance',
          'Past Due',
          'Amount Due',
          'Amount Owed',
          'Total Due',
          'Owed',
          'Owing',
          'Arrears',
        ],
        fills: null,
        empty: 'kept',
      }),
    ),
    field('proration', word(prorationWord), { also: ['Prorate', 'Proration Method'], empty: 'kept' }),
    ...rentChangeFields,
    lateFeesField,
  ],
  needs: [
    ['unit_id', 'unit'],
    ['tenant_ids', 'tenants', 'email', 'last_name'],
    ['start_date'],
    ['rent', 'rent_cents'],
  ],
  create: LeaseCreate,
  patch: LeasePatch,
  table,
  writer: leaseWriter,
  // If there are both, the opening balance counts.
  money: {
    rent: 'rent_cents',
    deposit: 'deposit_cents',
    balance: 'opening_balance_cents',
    opening_balance: 'opening_balance_cents',
  },
  signed: ['balance', 'opening_balance'],
  onlyNew: ['balance'],
  dayOf: { ledger_from: 'opening_balance_cents' },
  hasCurrency: true,
  hasExternalId: true,
  adopts: true,
  repeatable: false,
  fixed: {
    unit_id: { field: 'unit', reason: 'The unit of a lease cannot change; end it and make another.' },
  },
  ids: { unit_id: 'unit', tenant_ids: 'ten' },
  conflictField: 'start_date',
  conflictFields: { deposit_exceeded: ['ledger_from', 'deposit_cents', 'currency'] },
  async resolve(work, drafts) {
    await resolveUnits(work, drafts);
    await resolveTenants(work, drafts);
    for (const draft of drafts) {
      takeRentChanges(draft);
      beginToday(draft, work.today);
    }
  },
  completed: ({ timeZone }, patch, before) => withLedgerBegin(patch, before as WithId<LeaseRow>, timeZone),
  nature: ({ values }) => `${values.unit_id} ${values.start_date}`,
  async findSame({ tx, accountId }, drafts) {
    const found = await findLeasesByStart(
      tx,
      accountId,
      drafts.map(({ values }) => ({
        unit_id: String(values.unit_id),
        start_date: String(values.start_date),
      })),
    );
    drafts.forEach((draft, at) => {
      matchOne(
        draft,
        found.get(at) ?? [],
        'start_date',
        'Several leases of the unit start on this day; say which one by its id.',
      );
    });
  },
};

/**
 * Today's balance includes what was due before, which must not be charged again. An empty cell in its column is a
 * balance of 0.
 */
function beginToday({ cells, values }: Draft, today: string): void {
  const isOfToday = cells.balance !== undefined && !cells.opening_balance && !cells.opening_balance_cents;
  if (isOfToday && !values.ledger_from && String(values.start_date) <= today) values.ledger_from = today;
}
