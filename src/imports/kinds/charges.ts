import { z } from 'zod';
import { charges as table } from '../../ledger/charges/charges.columns.ts';
import { ChargeCreate } from '../../ledger/charges/charges.schema.ts';
import { chargeWriter } from '../../ledger/charges/charges.ts';
import { monthOf } from '../../ledger/rules/calendar.ts';
import { field, reference } from '../cells/field.ts';
import { counted, date, dated, integer, money, month, text, word } from '../cells/readers.ts';
import { chargeKind } from '../cells/words.ts';
import { type ChargeLike, findChargesLike } from '../entries.store.ts';
import { hasKey } from '../identify.ts';
import type { Kind } from '../kind.ts';
import {
  isReplaced,
  isVoided,
  leaseFields,
  matchSame,
  needsLease,
  neverChanges,
  resolveLeases,
  voidFields,
} from './entries.ts';
import { followVoided } from './voided-charges.ts';

const fixed = neverChanges('charge', {
  lease_id: 'lease_id',
  kind: 'kind',
  amount_cents: 'amount',
  due_on: 'due_on',
  period: 'period',
});

export const charges: Kind = {
  name: 'charges',
  noun: 'charge',
  prefix: 'chg',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Charge ID',
      'Charge Number',
      'Charge No',
      'Invoice ID',
      'Invoice Number',
      'Invoice No',
      'Invoice',
      'Transaction ID',
      'Reference',
      'Ref',
    ]),
    ...leaseFields,
    field('kind', word(chargeKind), {
      also: ['Charge Type', 'Charge Code', 'Type', 'Category', 'Account', 'GL Account', 'Charge', 'Item'],
      empty: 'refused',
    }),
    counted(
      field('amount', money, {
        also: ['Charge Amount', 'Amount Charged', 'Amount Due', 'Original Amount', 'Total', 'Sum', 'Price'],
        fills: null,
        empty: 'kept',
      }),
    ),
    field('amount_cents', integer, { empty: 'kept' }),
    reference('currency', text, ['Currency Code']),
    dated(
      field('due_on', date, {
        also: ['Due Date', 'Date Due', 'Due', 'Charge Date', 'Date', 'Posted', 'Post Date', 'Invoice Date'],
        empty: 'refused',
      }),
    ),
    dated(
      field('period', month, {
        also: ['For Month', 'Rent Month', 'Rent Period', 'For Period', 'Month'],
        empty: 'kept',
      }),
    ),
    field('memo', text, {
      also: ['Description', 'Notes', 'Note', 'Comments', 'Comment', 'Remarks', 'Details'],
    }),
    ...voidFields,
    // As exports of Tenure have them (voided-charges.ts).
    ...['source', 'recurring_charge_id', 'void_reason'].map((name) => reference(name, text, [])),
  ],
  needs: [needsLease, ['kind'], ['amount', 'amount_cents'], ['due_on']],
  create: ChargeCreate,
  patch: z.object({}),
  table,
  writer: chargeWriter,
  money: { amount: 'amount_cents' },
  hasCurrency: true,
  hasExternalId: true,
  adopts: true,
  repeatable: true,
  fixed,
  ids: { lease_id: 'lease' },
  conflictField: 'period',
  async resolve(work, drafts) {
    await resolveLeases(work, drafts, 'due_on');
    // Rent belongs to a month, so that the month is not charged a second time.
    for (const { values } of drafts)
      if (values.kind === 'rent') values.period ??= monthOf(String(values.due_on));
  },
  nature: ({ values: { lease_id, kind, amount_cents, due_on, period } }) =>
    JSON.stringify([lease_id, kind, amount_cents, due_on, period ?? null]),
  async findSame({ tx, accountId }, drafts) {
    const alike = drafts.map((draft) => ({
      keyed: hasKey(draft),
      ...(draft.values as unknown as Omit<ChargeLike, 'keyed'>),
    }));
    matchSame(drafts, await findChargesLike(tx, accountId, alike), charges.nature);
  },
  isVoided,
  followVoided,
  isReplaced: isReplaced(fixed),
};
