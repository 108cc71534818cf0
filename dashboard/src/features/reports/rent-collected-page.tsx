import type { RentCollectedRow } from '../../api/records.ts';
import { formatMonth, today } from '../../ui/date.tsx';
import { DaysInput } from '../../ui/forms/day-input.tsx';
import { moneyColumn } from '../../ui/lists/columns.tsx';
import { Segments, useFilters } from '../../ui/lists/filters.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { formatMoney } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { count } from '../../ui/words.ts';
import { Report } from './report.tsx';

const groups = [
  { value: undefined, label: 'By month' },
  { value: 'property', label: 'By property' },
];

export function RentCollectedPage() {
  const { filters, set, control, clear, isFiltered } = useFilters(['from', 'to', 'by']);
  const by = filters.by === 'property' ? 'property' : 'month';
  const to = filters.to ?? today();
  const from = filters.from ?? yearUntil(to);
  return (
    <Report<RentCollectedRow>
      path="/reports/rent-collected"
      label="Rent collected"
      about="What was due in this period, without deposits, and how much of it has been paid or credited so far. Received is the money that came in during the period."
      days={[from, to]}
      filter={{ from, to, by }}
      filters={
        <>
          <Segments label="By" options={groups} {...control('by')} />
          <DaysInput labels={['From', 'To']} days={{ from, to }} onChange={set} />
        </>
      }
      onClear={isFiltered ? clear : undefined}
      columns={tableColumns(by)}
      cards={cardColumns}
      rowKey={({ period, property, currency }) => `${period ?? property?.id} ${currency}`}
      sums={[
        ['Expected', (row) => row.expected_cents],
        ['Collected', (row) => row.collected_cents],
        ['Still owed', (row) => row.owed_cents],
        ['Received', (row) => row.received_cents],
      ]}
      bare="Add a property, its tenants and their leases to see what comes in."
      empty={<Empty title="Nothing was due and no payments came in" />}
    />
  );
}

/** The first day of the month eleven months earlier, for a range of twelve months. */
function yearUntil(date: string): string {
  const [year, month] = date.split('-').map(Number);
  // The address was edited by hand; the server reports what is wrong.
  if (!year || !month) return date;
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}

const name = ({ period, property }: RentCollectedRow) => (
  <span className="font-medium wrap-anywhere">
    {period ? formatMonth(period) : (property?.name ?? 'Without a lease')}
  </span>
);

const tableColumns = (by: 'month' | 'property'): Column<RentCollectedRow>[] => [
  { name: by === 'month' ? 'Month' : 'Property', cell: name },
  moneyColumn('Expected', (row) => row.expected_cents),
  moneyColumn('Collected', (row) => row.collected_cents, { className: 'font-medium' }),
  moneyColumn('Still owed', (row) => row.owed_cents),
  moneyColumn('Received', (row) => row.received_cents),
  {
    name: 'Payments',
    align: 'right',
    isExtra: true,
    width: 6,
    cell: (row) => row.payment_count.toLocaleString(),
  },
];

const cardColumns: Column<RentCollectedRow>[] = [
  { name: 'Name', phone: 'title', cell: name },
  {
    name: 'Expected',
    phone: 'line',
    cell: (row) =>
      `${formatMoney(row.expected_cents, row.currency)} expected, ${formatMoney(row.owed_cents, row.currency)} still owed`,
  },
  {
    name: 'Collected',
    phone: 'aside',
    cell: (row) => (
      <span className="text-base font-medium">{formatMoney(row.collected_cents, row.currency)}</span>
    ),
  },
  {
    name: 'Received',
    phone: 'line',
    cell: (row) =>
      row.payment_count > 0 &&
      `${formatMoney(row.received_cents, row.currency)} received in ${count(row.payment_count, 'payment')}`,
  },
];
