import type { Unit } from '../../api/records.ts';
import { EmptyWithoutProperty, useIsBare } from '../../ui/lists/bare.tsx';
import { moneyColumn, statusColumn } from '../../ui/lists/columns.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, SearchFilter, SelectFilter, SortSelect, useFilters } from '../../ui/lists/filters.tsx';
import { PropertyName } from '../../ui/lists/names.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { RecordList, Total } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { SaveView } from '../../ui/views/save-view.tsx';
import { Views } from '../../ui/views/views.tsx';
import { lived, optionsOf, unitStatus } from '../../ui/words.ts';
import { rooms } from './tenancy-columns.tsx';

const columns: Column<Unit>[] = [
  { name: 'Unit', sort: 'name', phone: 'title', cell: ({ name }) => name },
  { name: 'Property', phone: 'line', cell: ({ property }) => <PropertyName of={property} /> },
  { name: 'Rooms', phone: 'line', className: 'text-soft', cell: rooms },
  statusColumn('Status', ({ status }) => unitStatus[status]),
  moneyColumn('Asking rent', ({ market_rent_cents }) => market_rent_cents),
];

/** Somebody who has given notice still lives there. */
const statuses = [
  { value: lived, label: 'Occupied' },
  ...optionsOf(unitStatus).filter(({ value }) => value !== 'occupied'),
];

const views = [{ name: 'Vacancies', search: { status: 'vacant', sort: 'name' } }];

/** All units except those of archived properties. Each links to the page of its property. */
export function UnitsPage() {
  const { filters, control, clear, isFiltered } = useFilters(['q', 'status', 'property_id']);
  const filter = { ...filters, property_status: 'active' };
  const isBare = useIsBare('units', filter, !isFiltered);
  if (isBare)
    return (
      <Page title="Units" back="/properties">
        <EmptyWithoutProperty title="No units yet">
          Units are what you rent out. Add them together with their property.
        </EmptyWithoutProperty>
      </Page>
    );
  const total = <Total noun="units" filter={filter} />;
  return (
    <Page
      title="Units"
      isList
      total={total}
      back="/properties"
      actions={<ExportLink path="/units" filter={filter} />}
    >
      <Views list="units" ready={views} />
      <FilterBar
        onClear={isFiltered ? clear : undefined}
        save={<SaveView list="units" ready={views} />}
        total={total}
      >
        <SearchFilter label="Search" {...control('q')} />
        <SelectFilter label="Status" options={statuses} {...control('status')} />
        <PropertyFilter {...control('property_id')} />
        <SortSelect columns={columns} />
      </FilterBar>
      <RecordList
        label="Units"
        noun="units"
        filter={filter}
        columns={columns}
        isFiltered={isFiltered}
        empty={<Empty title="No units in use">All your properties with units are archived.</Empty>}
      />
    </Page>
  );
}
