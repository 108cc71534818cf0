import type { RentCollectedRow } from '../../api/records.ts';
import { today } from '../../ui/date.tsx';
import { DaysInput } from '../../ui/forms/day-input.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, Segments, useFilters } from '../../ui/lists/filters.tsx';
import { useIsPhone } from '../../ui/media.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { cardColumns, tableColumns } from './rent-collected-columns.tsx';
import { Report } from './report.tsx';
import { Totals } from './totals.tsx';

const path = '/reports/rent-collected';

const groups = [
  { value: undefined, label: 'By month' },
  { value: 'property', label: 'By property' },
];

export function RentCollectedPage() {
  const isPhone = useIsPhone();
  const { filters, set, control, clear, isFiltered } = useFilters(['from', 'to', 'by']);
  const by = filters.by === 'property' ? 'property' : 'month';
  const to = filters.to ?? today();
  const filter = { from: filters.from ?? yearUntil(to), to, by };
  return (
    <Page
      title="Rent collected"
      about="Rent that fell due, and payments that came in."
      actions={<ExportLink path={path} filter={filter} />}
    >
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <Segments label="By" options={groups} {...control('by')} />
        <DaysInput labels={['From', 'To']} days={{ from: filter.from, to }} onChange={set} />
      </FilterBar>
      <Report<RentCollectedRow>
        path={path}
        filter={filter}
        label="Rent collected"
        columns={isPhone ? cardColumns : tableColumns(by)}
        rowKey={({ period, property, currency }) => `${period ?? property?.id} ${currency}`}
        totals={(rows) => (
          <Totals
            rows={rows}
            sums={[
              ['Expected', (row) => row.expected_cents],
              ['Collected', (row) => row.collected_cents],
            ]}
          />
        )}
        empty={<Empty title="Nothing fell due and nothing came in" />}
      />
    </Page>
  );
}

/** The first day of the month eleven months before: a year of months. */
function yearUntil(date: string): string {
  const [year, month] = date.split('-').map(Number);
  // An address written by hand: the server says what is wrong with it.
  if (!year || !month) return date;
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}
