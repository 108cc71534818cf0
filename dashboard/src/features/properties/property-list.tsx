import { patch } from '../../api/client.ts';
import type { Property } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { BulkButton, type Chosen } from '../../ui/lists/bulk.tsx';
import { SearchFilter, Segments, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Status } from '../../ui/status.tsx';
import { propertyType } from '../../ui/words.ts';
import { Occupancy } from './occupancy.tsx';

/** Written as on a letter, which does not name the country for domestic addresses. */
export const addressOf = ({ address, address_line2, city, state, postal_code, country }: Property): string =>
  [
    address,
    address_line2,
    city,
    [state, postal_code].filter(Boolean).join(' '),
    country && country !== ownCountry && countryNames.of(country),
  ]
    .filter(Boolean)
    .join(', ');

const countryNames = new Intl.DisplayNames(undefined, { type: 'region' });
const ownCountry = new Intl.Locale(countryNames.resolvedOptions().locale).maximize().region;

const columns: Column<Property>[] = [
  {
    name: 'Property',
    sort: 'name',
    phone: 'title',
    width: 14,
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
    className: 'text-soft',
    cell: (property) => addressOf(property) || '–',
  },
  { name: 'Type', isExtra: true, width: 9, cell: (property) => propertyType[property.type] },
  { name: 'Units', align: 'right', width: 5, cell: (property) => property.unit_count.toLocaleString() },
  {
    name: 'Occupancy',
    width: 12,
    phone: 'aside',
    align: 'right',
    cell: (property) => <Occupancy occupied={property.occupied_unit_count} units={property.unit_count} />,
  },
];

const shown = [
  { value: undefined, label: 'Active' },
  { value: 'archived', label: 'Archived' },
];

const PropertyActions = ({ chosen }: { chosen: Chosen<Property> }) => {
  const isArchived = chosen.rows.every(({ status }) => status === 'archived');
  const status = isArchived ? 'active' : 'archived';
  return (
    <BulkButton
      label={isArchived ? 'Restore' : 'Archive'}
      doing={isArchived ? 'Restoring' : 'Archiving'}
      done={isArchived ? 'restored' : 'archived'}
      chosen={chosen}
      nameOf={({ name }) => name}
      fits={(property) => property.status !== status}
      work={({ id }) => patch(`/properties/${id}`, { status })}
    />
  );
};

export function PropertiesPage() {
  const canWrite = useCanWrite();
  const { filters, control, isFiltered, clear } = useFilters(['q', 'status']);
  const filter = { q: filters.q, status: filters.status === 'archived' ? 'archived' : 'active' };
  return (
    <ListPage
      title="Properties"
      noun="properties"
      filter={filter}
      columns={columns}
      isFiltered={isFiltered}
      actions={canWrite ? (chosen) => <PropertyActions chosen={chosen} /> : undefined}
      add="Add property"
      onClear={filters.q ? clear : undefined}
      filters={
        <>
          <SearchFilter label="Search" {...control('q')} />
          <Segments label="Show" options={shown} {...control('status')} />
          <TextLink to="/units">All units</TextLink>
        </>
      }
      empty={{
        title: 'No properties yet',
        text: 'A property is a building or a house. Add your first one together with its units.',
      }}
    />
  );
}
