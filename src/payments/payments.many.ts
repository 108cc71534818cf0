import type { Db } from '../db/connect.ts';
import { findMany } from '../db/many.ts';
import type { Sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import type { SubscribableEvent } from '../events/catalogue.ts';
import { type Many, type ManyWrite, recordMany } from '../events/record-many.ts';
import {
  insertPayments,
  type PaymentValues,
  paymentShape,
  payments,
  updatePayments,
} from './payments.store.ts';

/** Many payments at once, for imports. */
export const manyPayments: Many<PaymentValues> = {
  find: (db, accountId, ids, lock) => findMany(db, payments, accountId, ids, lock),
  add: (tx, how, rows) => {
    const added = rows.map((row) => ({ ...row, account_currency: how.currency, source: 'import' }));
    return write(tx, how, insertPayments(how.accountId, added), rows.length, 'payment.created');
  },
  change: (tx, how, rows) =>
    write(tx, how, updatePayments(how.accountId, rows, how.now), rows.length, 'payment.updated'),
};

const write = (tx: Db, how: ManyWrite, rows: Sql, count: number, event: SubscribableEvent): Promise<void> =>
  refuseViolations('payments', () =>
    recordMany(tx, how, { shape: paymentShape, rows, count, events: [event] }),
  );
