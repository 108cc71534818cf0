import type { Tenant } from '../../api/records.ts';
import { Email } from '../../ui/email.tsx';
import { statusColumn } from '../../ui/lists/columns.tsx';
import { SearchFilter, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { longestOf, Money } from '../../ui/money.tsx';
import { fullName, optionsOf, tenantStatus } from '../../ui/words.ts';

const place = (tenant: Tenant) => (tenant.property ? `${tenant.property.name}, ${tenant.unit?.name}` : '–');

const columns: Column<Tenant>[] = [
  { name: 'Name', sort: 'last_name', phone: 'title', width: 10, cell: fullName },
  { name: 'Unit', phone: 'line', width: 11, cell: place },
  {
    name: 'Email',
    isExtra: true,
    className: 'text-soft',
    cell: ({ email }) => (email ? <Email address={email} /> : '–'),
  },
  {
    name: 'Phone',
    isExtra: true,
    width: 9,
    className: 'text-soft whitespace-nowrap',
    cell: (tenant) => tenant.phone ?? '–',
  },
  statusColumn('Lease', (tenant) => tenantStatus[tenant.lease_status]),
  {
    name: 'Rent',
    width: 6,
    phone: 'aside',
    align: 'right',
    amounts: (rows) =>
      longestOf(
        rows.flatMap(({ lease }) =>
          lease ? [{ cents: lease.current_rent_cents, currency: lease.currency }] : [],
        ),
      ),
    cell: ({ lease }) => (
      <Money cents={lease?.current_rent_cents ?? null} currency={lease?.currency ?? 'USD'} />
    ),
  },
];

export function TenantsPage() {
  const { filters, control, clear, isFiltered } = useFilters(['q', 'lease_status', 'property_id']);
  return (
    <ListPage
      title="Tenants"
      noun="tenants"
      filter={filters}
      columns={columns}
      isFiltered={isFiltered}
      add="Add tenant"
      onClear={isFiltered ? clear : undefined}
      filters={
        <>
          <SearchFilter label="Search" {...control('q')} />
          <SelectFilter label="Lease" options={optionsOf(tenantStatus)} {...control('lease_status')} />
          <PropertyFilter {...control('property_id')} />
        </>
      }
      empty={{
        title: 'No tenants yet',
        text: 'Add the people who rent from you, with their lease in the same form.',
      }}
    />
  );
}
