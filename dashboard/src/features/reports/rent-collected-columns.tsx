import type { RentCollectedRow } from '../../api/records.ts';
import { formatMonth } from '../../ui/date.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { formatMoney, Money } from '../../ui/money.tsx';
import { count } from '../../ui/words.ts';

const name = ({ period, property }: RentCollectedRow) => (
  <span className="font-medium wrap-anywhere">
    {period ? formatMonth(period) : (property?.name ?? 'Without a lease')}
  </span>
);

export const tableColumns = (by: 'month' | 'property'): Column<RentCollectedRow>[] => [
  { name: by === 'month' ? 'Month' : 'Property', cell: name },
  {
    name: 'Expected',
    align: 'right',
    cell: (row) => <Money cents={row.expected_cents} currency={row.currency} />,
  },
  {
    name: 'Collected',
    align: 'right',
    className: 'font-medium',
    cell: (row) => <Money cents={row.collected_cents} currency={row.currency} />,
  },
  { name: 'Payments', align: 'right', cell: (row) => row.payment_count.toLocaleString() },
];

export const cardColumns: Column<RentCollectedRow>[] = [
  { name: 'Name', phone: 'title', cell: name },
  {
    name: 'Expected',
    phone: 'line',
    cell: (row) => `${formatMoney(row.expected_cents, row.currency)} expected`,
  },
  {
    name: 'Collected',
    phone: 'aside',
    cell: (row) => (
      <span className="text-base font-medium">{formatMoney(row.collected_cents, row.currency)}</span>
    ),
  },
  { name: 'Payments', phone: 'aside', cell: (row) => count(row.payment_count, 'payment') },
];
