import { X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/date.tsx';
import { Segments, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { leaseStatus, optionsOf, running } from '../../ui/words.ts';
import { leaseColumns } from './lease-columns.tsx';

const statuses = [
  { value: undefined, label: 'All' },
  { value: running, label: 'Running' },
  ...optionsOf(leaseStatus),
];

export function LeasesPage() {
  const { filters, control, clear, isFiltered } = useFilters([
    'status',
    'tenant_id',
    'property_id',
    'ends_by',
  ]);
  return (
    <ListPage
      title="Leases"
      noun="leases"
      filter={filters}
      columns={leaseColumns}
      isFiltered={isFiltered}
      add="Add lease"
      onClear={filters.tenant_id || filters.property_id || filters.ends_by ? clear : undefined}
      filters={
        <>
          <Segments label="Status" options={statuses} {...control('status')} />
          <TenantFilter {...control('tenant_id')} />
          <PropertyFilter {...control('property_id')} />
          <EndFilter {...control('ends_by')} />
        </>
      }
      empty={{
        title: 'No leases yet',
        text: 'A lease says who rents which unit, from when, and for how much.',
      }}
    />
  );
}

/** It is set on the home page and can only be removed here. */
function EndFilter({ value, onChange }: { value: string | undefined; onChange: (day: undefined) => void }) {
  if (!value) return null;
  return (
    <Button icon={<X />} title="Remove this filter" onClick={() => onChange(undefined)}>
      Ending by {formatDay(value)}
    </Button>
  );
}
