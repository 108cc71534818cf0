import type { RentRollRow } from '../../api/records.ts';
import { Day, today } from '../../ui/date.tsx';
import { DayInput } from '../../ui/forms/day-input.tsx';
import { moneyColumn } from '../../ui/lists/columns.tsx';
import { useFilters } from '../../ui/lists/filters.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { NothingFits } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { formatMoney } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { unitStatus } from '../../ui/words.ts';
import { Report } from './report.tsx';

export function RentRollPage() {
  const { filters, set, control, clear, isFiltered } = useFilters(['as_of', 'property_id']);
  const filter = { as_of: filters.as_of ?? today(), property_id: filters.property_id };
  return (
    <Report<RentRollRow>
      path="/reports/rent-roll"
      label="Rent roll"
      about="Every unit, who rents it, and what they owe on the chosen day. What former tenants owe is under Overdue."
      days={[filter.as_of]}
      filter={filter}
      filters={
        <>
          <div className="min-w-0 grow basis-[40%] sm:grow-0 sm:basis-auto">
            <DayInput label="On" value={filter.as_of} onChange={(as_of) => set({ as_of })} />
          </div>
          <PropertyFilter {...control('property_id')} />
        </>
      }
      onClear={isFiltered ? clear : undefined}
      columns={tableColumns}
      cards={cardColumns}
      rowKey={(row) => row.unit.id}
      rowLink={(row) => (row.lease ? `/leases/${row.lease.id}` : `/properties/${row.property.id}`)}
      sums={[
        ['Rent', (row) => row.rent_cents],
        ['Paid this month', (row) => row.paid_this_month_cents],
        ['Owed', (row) => row.owed_cents],
        ['In credit', (row) => row.credit_cents],
      ]}
      bare="Add a property with its units to see who rents them and what they owe."
      empty={
        isFiltered ? (
          <NothingFits />
        ) : (
          <Empty title="No units yet">Add a property with its units to see them here.</Empty>
        )
      }
    />
  );
}

const none = <span className="text-faint">–</span>;
const names = ({ tenants }: RentRollRow) => tenants.map(({ name }) => name).join(', ');
const status = (row: RentRollRow) => <Status of={unitStatus[row.status]} />;

function lease({ lease: running }: RentRollRow) {
  if (!running) return none;
  return (
    <>
      <Day date={running.start_date} /> –{' '}
      <Day date={running.ended_on ?? running.end_date} none="month to month" />
    </>
  );
}

const tableColumns: Column<RentRollRow>[] = [
  { name: 'Property', cell: (row) => row.property.name },
  { name: 'Unit', width: 5, cell: (row) => row.unit.name },
  { name: 'Status', width: 8, cell: status },
  { name: 'Tenants', cell: (row) => names(row) || none },
  { name: 'Lease', isExtra: true, width: 8, className: 'text-soft', cell: lease },
  moneyColumn('Rent', (row) => row.rent_cents, { width: 6 }),
  moneyColumn('Paid this month', (row) => row.lease && row.paid_this_month_cents),
  moneyColumn('Owed', (row) => row.owed_cents || null, {
    width: 6,
    className: 'font-medium',
  }),
  moneyColumn('In credit', (row) => row.credit_cents || null, { width: 6 }),
];

const rentAndPaid = ({ rent_cents, paid_this_month_cents, currency }: RentRollRow) =>
  rent_cents !== null &&
  `Rent ${formatMoney(rent_cents, currency)}, paid ${formatMoney(paid_this_month_cents, currency)}`;

const owed = ({ lease: running, owed_cents, currency }: RentRollRow) =>
  running && (owed_cents > 0 ? `${formatMoney(owed_cents, currency)} owed` : 'Nothing owed');
const credit = ({ credit_cents, currency }: RentRollRow) =>
  credit_cents > 0 && `${formatMoney(credit_cents, currency)} in credit`;

const cardColumns: Column<RentRollRow>[] = [
  { name: 'Unit', phone: 'title', cell: (row) => `${row.property.name}, ${row.unit.name}` },
  { name: 'Tenants', phone: 'line', cell: names },
  { name: 'Lease', phone: 'line', cell: (row) => row.lease && lease(row) },
  { name: 'Rent', phone: 'line', cell: rentAndPaid },
  { name: 'Status', phone: 'aside', cell: status },
  { name: 'Owed', phone: 'aside', cell: owed },
  { name: 'In credit', phone: 'aside', cell: credit },
];
