import type { RentRollRow } from '../../api/records.ts';
import { today } from '../../ui/date.tsx';
import { DayInput } from '../../ui/forms/day-input.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, useFilters } from '../../ui/lists/filters.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { NothingFits } from '../../ui/lists/record-list.tsx';
import { useIsPhone } from '../../ui/media.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { cardColumns, tableColumns } from './rent-roll-columns.tsx';
import { Report } from './report.tsx';
import { Totals } from './totals.tsx';

const path = '/reports/rent-roll';

export function RentRollPage() {
  const isPhone = useIsPhone();
  const { filters, set, control, clear, isFiltered } = useFilters(['as_of', 'property_id']);
  const filter = { as_of: filters.as_of ?? today(), property_id: filters.property_id };
  return (
    <Page
      title="Rent roll"
      about="Every unit with who rents it and what they owe on a day."
      actions={<ExportLink path={path} filter={filter} />}
    >
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <div className="min-w-0 grow basis-[40%] sm:grow-0 sm:basis-auto">
          <DayInput label="On" value={filter.as_of} onChange={(as_of) => set({ as_of })} />
        </div>
        <PropertyFilter {...control('property_id')} />
      </FilterBar>
      <Report<RentRollRow>
        path={path}
        filter={filter}
        label="Rent roll"
        columns={isPhone ? cardColumns : tableColumns}
        rowKey={(row) => row.unit.id}
        rowLink={(row) => (row.lease ? `/leases/${row.lease.id}` : `/properties/${row.property.id}`)}
        totals={(rows) => (
          <Totals
            rows={rows}
            sums={[
              ['Rent', (row) => row.rent_cents],
              ['Paid this month', (row) => row.paid_this_month_cents],
              ['Balance', (row) => row.balance_cents],
            ]}
          />
        )}
        empty={
          isFiltered ? (
            <NothingFits />
          ) : (
            <Empty title="No units yet">Add a property with its units, and they stand here.</Empty>
          )
        }
      />
    </Page>
  );
}
