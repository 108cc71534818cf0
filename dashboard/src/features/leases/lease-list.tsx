import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { Lease } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Day } from '../../ui/date.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, Segments, useFilters } from '../../ui/lists/filters.tsx';
import { PlaceName, TenantName } from '../../ui/lists/names.tsx';
import { PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { RecordList } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { leaseStatus, optionsOf } from '../../ui/words.ts';

export function LeaseTenants({ ids }: { ids: string[] }) {
  const [head, ...others] = ids;
  return (
    <>
      <TenantName id={head ?? null} />
      {others.length > 0 && (
        <span className="font-normal whitespace-nowrap text-soft"> +{others.length}</span>
      )}
    </>
  );
}

const columns: Column<Lease>[] = [
  { name: 'Tenant', phone: 'title', cell: (lease) => <LeaseTenants ids={lease.tenant_ids} /> },
  {
    name: 'Unit',
    phone: 'line',
    cell: (lease) => <PlaceName propertyId={lease.property_id} unitId={lease.unit_id} />,
  },
  { name: 'From', cell: (lease) => <Day date={lease.start_date} /> },
  {
    name: 'To',
    cell: (lease) => <Day date={lease.ended_on ?? lease.end_date} none="Month to month" />,
  },
  { name: 'Status', phone: 'aside', cell: (lease) => <Status of={leaseStatus[lease.status]} /> },
  {
    name: 'Rent',
    phone: 'aside',
    align: 'right',
    cell: (lease) => <Money cents={lease.rent_cents} currency={lease.currency} />,
  },
];

export function LeasesPage() {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const { filters, set, clear, isFiltered } = useFilters(['status', 'tenant_id', 'property_id']);
  return (
    <Page
      title="Leases"
      actions={
        <>
          <ExportLink path="/leases" filter={filters} />
          {canWrite && (
            <Button kind="main" icon={<Plus />} onClick={() => navigate({ to: '/leases/new' })}>
              Add lease
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={filters.tenant_id || filters.property_id ? clear : undefined}>
        <Segments
          label="Status"
          value={filters.status}
          options={[{ value: undefined, label: 'All' }, ...optionsOf(leaseStatus)]}
          onChange={(status) => set({ status })}
        />
        <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
        <PropertyFilter value={filters.property_id} onChange={(property_id) => set({ property_id })} />
      </FilterBar>
      <RecordList
        noun="leases"
        label="Leases"
        filter={filters}
        columns={columns}
        rowLink={(lease) => `/leases/${lease.id}`}
        empty={
          isFiltered ? (
            <Empty title="No lease fits these filters" />
          ) : (
            <Empty title="No leases yet">
              A lease says who rents which unit, from when, and for how much. It needs a unit and a tenant
              first.
            </Empty>
          )
        }
      />
    </Page>
  );
}
