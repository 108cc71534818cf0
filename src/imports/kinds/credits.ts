import { z } from 'zod';
import { credits as table } from '../../ledger/credits/credits.columns.ts';
import { CreditCreate } from '../../ledger/credits/credits.schema.ts';
import { creditWriter } from '../../ledger/credits/credits.ts';
import { field, reference } from '../cells/field.ts';
import { counted, date, dated, integer, money, text, word } from '../cells/readers.ts';
import { creditReason } from '../cells/words.ts';
import { type CreditLike, findCreditsLike } from '../entries.store.ts';
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
import { resolveNamed } from './named.ts';

const fixed = neverChanges('credit', {
  lease_id: 'lease_id',
  amount_cents: 'amount',
  credited_on: 'credited_on',
  reason: 'reason',
  charge_id: 'charge_id',
});

export const credits: Kind = {
  name: 'credits',
  noun: 'credit',
  prefix: 'crd',
  fields: [
    reference('id', text, []),
    reference('external_id', text, [
      'Credit ID',
      'Credit Number',
      'Credit No',
      'Transaction ID',
      'Reference',
      'Ref',
    ]),
    ...leaseFields,
    reference('charge_id', text, ['Charge ID', 'Charge Number', 'Charge No', 'Invoice ID', 'Invoice Number']),
    counted(
      field('amount', money, {
        also: ['Credit Amount', 'Amount Credited', 'Total', 'Sum', 'Credit'],
        fills: null,
        empty: 'kept',
      }),
    ),
    field('amount_cents', integer, { empty: 'kept' }),
    reference('currency', text, ['Currency Code']),
    dated(
      field('credited_on', date, {
        also: ['Credit Date', 'Date Credited', 'Date', 'Posted', 'Post Date', 'Transaction Date'],
        empty: 'refused',
      }),
    ),
    field('reason', word(creditReason), {
      also: ['Credit Type', 'Type', 'Category', 'Account', 'GL Account'],
      empty: 'refused',
    }),
    field('memo', text, {
      also: ['Description', 'Notes', 'Note', 'Comments', 'Comment', 'Remarks', 'Details'],
    }),
    ...voidFields,
  ],
  needs: [needsLease, ['amount', 'amount_cents'], ['credited_on'], ['reason']],
  create: CreditCreate,
  patch: z.object({}),
  table,
  writer: creditWriter,
  money: { amount: 'amount_cents' },
  hasCurrency: true,
  hasExternalId: true,
  adopts: false,
  repeatable: true,
  fixed,
  ids: { lease_id: 'lease', charge_id: 'chg' },
  conflictField: 'amount',
  async resolve(work, drafts) {
    await resolveLeases(work, drafts, 'credited_on');
    await resolveNamed('charge_id', drafts, (requests) => work.references.charges(requests));
  },
  nature: ({ values: { lease_id, amount_cents, credited_on, reason } }) =>
    JSON.stringify([lease_id, amount_cents, credited_on, reason]),
  async findSame({ tx, accountId }, drafts) {
    const alike = drafts.map(({ values }) => values as unknown as CreditLike);
    matchSame(drafts, await findCreditsLike(tx, accountId, alike), credits.nature);
  },
  isVoided,
  isReplaced: isReplaced(fixed),
};
