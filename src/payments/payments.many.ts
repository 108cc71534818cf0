import { findMany, type ManyTable, unnested, type WithId } from '../db/many.ts';
import { raw, type Sql, sql } from '../db/sql.ts';
import { refuseViolations } from '../db/violations.ts';
import { type Many, type ManyWrite, recordMany, withTime } from '../events/record-many.ts';
import { type PaymentRow, paymentShape } from './payments.store.ts';

/** Currency null, for a new one: the lease's, else the account's. */
export type ManyPaymentsRow = { tenant_id: string; currency: string | null } & {
  [Field in Exclude<keyof PaymentRow, 'currency'>]: PaymentRow[Field];
};
type Payment = WithId<ManyPaymentsRow>;

const payments: ManyTable<ManyPaymentsRow> = {
  table: 'payments',
  columns: {
    tenant_id: 'uuid',
    amount_cents: 'bigint',
    currency: 'text',
    paid_on: 'date',
    method: 'text',
    status: 'text',
    period: 'text',
    reference: 'text',
    memo: 'text',
  },
};

/** Many payments at once, for imports. */
export const manyPayments: Many<ManyPaymentsRow> = {
  find: (db, accountId, ids, lock) => findMany(db, payments, accountId, ids, lock),
  async add(tx, write, rows) {
    await refuseViolations('payments', () =>
      recordMany(tx, write, {
        shape: paymentShape,
        rows: insertPayments(write, rows),
        count: rows.length,
        events: ['payment.created'],
      }),
    );
  },
  async change(tx, write, rows) {
    await refuseViolations('payments', () =>
      recordMany(tx, write, {
        shape: paymentShape,
        rows: updatePayments(write, rows),
        count: rows.length,
        events: ['payment.updated'],
      }),
    );
  },
};

/** As in payments.store.ts, for each of many rows: the tenant's lease on that day, of several the last started. */
const leaseOfEach = (accountId: string): Sql => sql`
  left join lateral (
    select l.id, l.unit_id, l.property_id, l.currency
    from lease_tenants lt join leases l on l.account_id = lt.account_id and l.id = lt.lease_id
    where lt.account_id = ${accountId} and lt.tenant_id = n.tenant_id
      and l.start_date <= n.paid_on and (l.until is null or l.until > n.paid_on)
    order by l.start_date desc, l.id desc limit 1) lease on true`;

const plain = ['paid_on', 'method', 'status', 'period', 'reference', 'memo'];

function insertPayments({ accountId, currency }: ManyWrite, rows: Payment[]): Sql {
  const columns = { id: 'uuid', ...payments.columns, at: 'timestamptz' };
  return sql`
    insert into payments (account_id, id, tenant_id, lease_id, unit_id, property_id, amount_cents, currency,
      ${raw(plain.join(', '))}, source, created_at, updated_at)
    select ${accountId}, n.id, n.tenant_id, lease.id, lease.unit_id, lease.property_id, n.amount_cents,
      coalesce(n.currency, lease.currency, ${currency}), ${raw(plain.map((name) => `n.${name}`).join(', '))}, 'import', n.at, n.at
    from ${unnested(rows.map(withTime), columns)} ${leaseOfEach(accountId)}
    returning *`;
}

/** The lease follows paid_on. */
function updatePayments({ accountId, now }: ManyWrite, rows: Payment[]): Sql {
  const columns = { id: 'uuid', ...payments.columns };
  return sql`
    update payments p set amount_cents = n.amount_cents, currency = coalesce(n.currency, p.currency),
      ${raw(plain.map((name) => `${name} = n.${name}`).join(', '))}, updated_at = ${now},
      lease_id = n.lease_id, unit_id = n.unit_id, property_id = n.property_id
    from (select n.*, lease.id as lease_id, lease.unit_id, lease.property_id
          from ${unnested(rows, columns)} ${leaseOfEach(accountId)}) n
    where p.account_id = ${accountId} and p.id = n.id
    returning p.*`;
}
