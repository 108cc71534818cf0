import type { Balance } from '../../api/records.ts';
import { Button } from '../../ui/button.tsx';
import { moneyColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { breakable, formatMoney, formatShortMoney, Money, widthOf } from '../../ui/money.tsx';
import { count } from '../../ui/words.ts';
import { ages, type Shown, whole } from './amounts.ts';

export const names = ({ tenants }: Balance) => tenants.map(({ name }) => name).join(', ');
export const place = ({ property, unit }: Balance) => `${property.name}, ${unit.name}`;
const late = ({ days_late }: Balance) => (days_late > 0 ? count(days_late, 'day') : 'Due today');
const former = ({ lease }: Balance) =>
  lease.status === 'ended' && (
    <>
      {' '}
      <span className="inline-block text-sm font-normal text-soft">Former</span>
    </>
  );

/** It is still overdue, but perhaps only until it is marked as paid. */
const pending = ({ pending_cents, currency }: Balance) =>
  pending_cents > 0 && `${formatMoney(pending_cents, currency)} pending`;

const tableColumnsOf = (of: Shown): Column<Balance>[] => [
  {
    name: 'Tenants',
    cell: (row) => (
      <>
        {names(row)}
        {former(row)}
        {row.pending_cents > 0 && <span className="block text-sm font-normal text-soft">{pending(row)}</span>}
      </>
    ),
  },
  { name: 'Unit', cell: place },
  ...(of === 'credit'
    ? []
    : [{ name: 'Late', align: 'right' as const, width: 6, className: 'whitespace-nowrap', cell: late }]),
  ...ages[of].map(([name, cents]) =>
    moneyColumn<Balance>(name, cents, {
      isExtra: true,
      width: 5.75,
      className: 'text-soft',
      amounts: (rows) => rows.map((row) => ageText(cents(row), row.currency)),
      cell: (row) => <Age cents={cents(row)} currency={row.currency} />,
    }),
  ),
  moneyColumn<Balance>(...whole[of], { className: 'font-medium' }),
];
export const tableColumns = {
  overdue: tableColumnsOf('overdue'),
  owed: tableColumnsOf('owed'),
  credit: tableColumnsOf('credit'),
};

/**
 * In em, as much as fits into one of the four narrow columns. The whole of a longer amount is in the column of what is
 * owed.
 */
const mostOfAge = 5.9;

function ageText(cents: number, currency: string): string {
  const amount = formatMoney(cents, currency);
  return breakable(widthOf(amount) <= mostOfAge ? amount : formatShortMoney(cents, currency));
}

function Age({ cents, currency }: { cents: number; currency: string }) {
  if (cents === 0) return <Money cents={null} currency={currency} />;
  return <span title={formatMoney(cents, currency)}>{ageText(cents, currency)}</span>;
}

const cardColumnsOf = (of: Shown): Column<Balance>[] => [
  { name: 'Tenants', phone: 'title', cell: names },
  {
    name: 'Unit',
    phone: 'line',
    cell: (row) => (row.lease.status === 'ended' ? `${place(row)} (former)` : place(row)),
  },
  { name: 'Pending', phone: 'line', cell: pending },
  { name: 'Ages', phone: 'line', cell: (row) => agesInWords(row, of) },
  {
    name: whole[of][0],
    phone: 'aside',
    cell: (row) => (
      <span className="text-base font-medium">{formatMoney(whole[of][1](row), row.currency)}</span>
    ),
  },
  ...(of === 'credit'
    ? []
    : [
        {
          name: 'Late',
          phone: 'aside' as const,
          cell: (row: Balance) => (row.days_late > 0 ? `${late(row)} late` : late(row)),
        },
      ]),
];
export const cardColumns = {
  overdue: cardColumnsOf('overdue'),
  owed: cardColumnsOf('owed'),
  credit: cardColumnsOf('credit'),
};

/** Only on a phone, and only for a debt with several ages. */
function agesInWords(row: Balance, of: Shown): string | null {
  const parts = ages[of].filter(([, cents]) => cents(row) > 0);
  if (parts.length < 2) return null;
  return parts.map(([name, cents]) => `${name}: ${formatMoney(cents(row), row.currency)}`).join(', ');
}

export const payColumn = (pay: (row: Balance) => void): Column<Balance> => ({
  name: 'Payment',
  width: 9,
  align: 'right',
  phone: 'aside',
  cell: (row) => (
    // Above the link that covers the row.
    <Button
      className="relative z-1 max-md:mt-1"
      aria-label={`Record payment of ${names(row)}`}
      onClick={() => pay(row)}
    >
      Record payment
    </Button>
  ),
});
