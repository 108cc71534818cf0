import type { Payment } from '../../api/records.ts';
import { Day, formatMonth } from '../../ui/date.tsx';
import { moneyColumn, statusColumn } from '../../ui/lists/columns.tsx';
import { PlaceName, TenantName } from '../../ui/lists/names.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { paymentMethod, paymentStatus } from '../../ui/words.ts';

const tenant: Column<Payment> = {
  name: 'Tenant',
  phone: 'title',
  width: 9,
  cell: (payment) => <TenantName of={payment.tenant} />,
};
const place: Column<Payment> = {
  name: 'Unit',
  cell: (payment) => <PlaceName of={payment} />,
};
const month: Column<Payment> = {
  name: 'For',
  isExtra: true,
  width: 9,
  className: 'whitespace-nowrap',
  cell: (payment) => (payment.period ? formatMonth(payment.period) : <span className="text-faint">–</span>),
};
const method: Column<Payment> = {
  name: 'Method',
  isExtra: true,
  width: 8,
  className: 'whitespace-nowrap',
  cell: (payment) => paymentMethod[payment.method],
};
const paidOn: Column<Payment> = {
  name: 'Paid on',
  sort: 'paid_on',
  width: 8,
  phone: 'line',
  cell: (payment) => <Day date={payment.paid_on} />,
};
const status: Column<Payment> = {
  ...statusColumn('Status', (payment) => paymentStatus[payment.status]),
  width: 7.5,
};
const amount = moneyColumn<Payment>('Amount', (payment) => payment.amount_cents, {
  width: 7,
  className: 'font-medium',
});

export const paymentColumns = [tenant, place, paidOn, month, method, status, amount];
export const panelColumns = [tenant, paidOn, status, amount];
export const sharedPanelColumns = [tenant, paidOn, { ...month, isExtra: false }, status, amount];
export const tenantPanelColumns = [
  { ...paidOn, phone: 'title' as const },
  { ...month, isExtra: false },
  { ...method, phone: 'line' as const },
  status,
  amount,
];

/** Few payments name a month. Where none does, the column of months would be a column of dashes. */
export const columnsFor = (payments: Payment[], columns: Column<Payment>[]): Column<Payment>[] =>
  payments.some(({ period }) => period !== null)
    ? columns
    : columns.filter(({ name }) => name !== month.name);
