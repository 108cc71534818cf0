import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { Property } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, SearchFilter, Segments, useFilters } from '../../ui/lists/filters.tsx';
import { RecordList } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { propertyType } from '../../ui/words.ts';
import { Occupancy } from './occupancy.tsx';

export const addressOf = (property: Property): string =>
  [
    property.address,
    property.address_line2,
    property.city,
    property.state,
    property.postal_code,
    property.country,
  ]
    .filter(Boolean)
    .join(', ');

const columns: Column<Property>[] = [
  {
    name: 'Property',
    phone: 'title',
    cell: (property) => (
      <span className="inline-flex items-center gap-2">
        {property.name}
        {property.status === 'archived' && (
          <Status of={{ word: 'Archived', tone: 'off' }} className="text-sm font-normal text-soft" />
        )}
      </span>
    ),
  },
  {
    name: 'Address',
    phone: 'line',
    className: 'text-soft max-w-96',
    cell: (property) => addressOf(property) || '–',
  },
  { name: 'Type', isExtra: true, cell: (property) => propertyType[property.type] },
  { name: 'Units', align: 'right', cell: (property) => property.unit_count.toLocaleString() },
  {
    name: 'Occupancy',
    phone: 'aside',
    align: 'right',
    cell: (property) => <Occupancy occupied={property.occupied_unit_count} units={property.unit_count} />,
  },
];

export function PropertiesPage() {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const { filters, set, isFiltered, clear } = useFilters(['q', 'status']);
  const filter = { q: filters.q, status: filters.status === 'archived' ? 'archived' : 'active' };
  return (
    <Page
      title="Properties"
      actions={
        <>
          <ExportLink path="/properties" filter={filter} />
          {canWrite && (
            <Button kind="main" icon={<Plus />} onClick={() => navigate({ to: '/properties/new' })}>
              Add property
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={filters.q ? clear : undefined}>
        <SearchFilter label="Search" value={filters.q} onChange={(q) => set({ q })} />
        <Segments
          label="Show"
          value={filters.status === 'archived' ? 'archived' : undefined}
          options={[
            { value: undefined, label: 'Active' },
            { value: 'archived', label: 'Archived' },
          ]}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <RecordList
        noun="properties"
        label="Properties"
        filter={filter}
        columns={columns}
        rowLink={(property) => `/properties/${property.id}`}
        empty={
          isFiltered ? (
            <Empty title="Nothing fits these filters" />
          ) : (
            <Empty title="No properties yet">
              A property is a building or a piece of land with its units. Add the first one, with its units at
              once.
            </Empty>
          )
        }
      />
    </Page>
  );
}
