import { Segments, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { Empty } from '../../ui/states.tsx';
import { leaseStatus, optionsOf } from '../../ui/words.ts';
import { leaseColumns } from './lease-columns.tsx';

const statuses = [{ value: undefined, label: 'All' }, ...optionsOf(leaseStatus)];

export function LeasesPage() {
  const { filters, control, clear, isFiltered } = useFilters(['status', 'tenant_id', 'property_id']);
  return (
    <ListPage
      title="Leases"
      noun="leases"
      filter={filters}
      columns={leaseColumns}
      isFiltered={isFiltered}
      add="Add lease"
      onClear={filters.tenant_id || filters.property_id ? clear : undefined}
      filters={
        <>
          <Segments label="Status" options={statuses} {...control('status')} />
          <TenantFilter {...control('tenant_id')} />
          <PropertyFilter {...control('property_id')} />
        </>
      }
      empty={
        <Empty title="No leases yet">
          A lease says who rents which unit, from when, and for how much. It needs a unit and a tenant first.
        </Empty>
      }
    />
  );
}
