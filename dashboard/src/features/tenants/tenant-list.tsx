import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { Tenant } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, SearchFilter, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { RecordList } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { fullName, optionsOf, tenantStatus } from '../../ui/words.ts';

const place = (tenant: Tenant) => (tenant.property ? `${tenant.property.name}, ${tenant.unit?.name}` : '–');

const columns: Column<Tenant>[] = [
  { name: 'Name', phone: 'title', cell: fullName },
  { name: 'Unit', phone: 'line', cell: place },
  {
    name: 'Email',
    isExtra: true,
    className: 'text-soft wrap-anywhere',
    cell: (tenant) => tenant.email ?? '–',
  },
  {
    name: 'Phone',
    isExtra: true,
    className: 'text-soft whitespace-nowrap',
    cell: (tenant) => tenant.phone ?? '–',
  },
  { name: 'Lease', phone: 'aside', cell: (tenant) => <Status of={tenantStatus[tenant.lease_status]} /> },
  {
    name: 'Rent',
    phone: 'aside',
    align: 'right',
    cell: ({ lease }) => <Money cents={lease?.rent_cents ?? null} currency={lease?.currency ?? 'USD'} />,
  },
];

export function TenantsPage() {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const { filters, set, clear, isFiltered } = useFilters(['q', 'lease_status', 'property_id']);
  return (
    <Page
      title="Tenants"
      actions={
        <>
          <ExportLink path="/tenants" filter={filters} />
          {canWrite && (
            <Button kind="main" icon={<Plus />} onClick={() => navigate({ to: '/tenants/new' })}>
              Add tenant
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <SearchFilter label="Search" value={filters.q} onChange={(q) => set({ q })} />
        <SelectFilter
          label="Lease"
          value={filters.lease_status}
          options={optionsOf(tenantStatus)}
          onChange={(lease_status) => set({ lease_status })}
        />
        <PropertyFilter value={filters.property_id} onChange={(property_id) => set({ property_id })} />
      </FilterBar>
      <RecordList
        noun="tenants"
        label="Tenants"
        filter={filters}
        columns={columns}
        rowLink={(tenant) => `/tenants/${tenant.id}`}
        empty={
          isFiltered ? (
            <Empty title="Nobody fits these filters" />
          ) : (
            <Empty title="No tenants yet">
              Add the people who rent from you; you can add their lease in the same form.
            </Empty>
          )
        }
      />
    </Page>
  );
}
