import { X } from 'lucide-react';
import type { Lease } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/date.tsx';
import { SearchFilter, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { placeName } from '../../ui/lists/names.tsx';
import { PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { leaseStatus, optionsOf, running } from '../../ui/words.ts';
import { RecordMany, type ToRecord } from '../payments/record-many.tsx';
import { endingSoon } from './ending-soon.ts';
import { leaseColumns } from './lease-columns.tsx';

const statuses = [{ value: running, label: 'Running' }, ...optionsOf(leaseStatus)];

const views = () => [
  { name: 'Ending in 60 days', search: { ...endingSoon(), sort: 'end_date' } },
  { name: 'Notice given', search: { status: 'notice', sort: 'end_date' } },
];

const nameOf = (lease: Lease) =>
  `${lease.tenants?.map(({ name }) => name).join(', ') || 'Lease'}, ${placeName(lease)}`;

/** Today's rent, paid by the first tenant. */
const rentOf = (lease: Lease): ToRecord[] => {
  const [payer] = lease.tenant_ids;
  return payer === undefined
    ? []
    : [
        {
          key: lease.id,
          name: nameOf(lease),
          tenantId: payer,
          leaseId: lease.id,
          amountCents: lease.current_rent_cents,
          currency: lease.currency,
        },
      ];
};

export function LeasesPage() {
  const canWrite = useCanWrite();
  const { filters, control, clear, isFiltered } = useFilters([
    'q',
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
      views={views()}
      actions={
        canWrite
          ? (chosen) => <RecordMany chosen={chosen} toRecord={rentOf} what="one month's rent" />
          : undefined
      }
      add="Add lease"
      onClear={isFiltered ? clear : undefined}
      filters={
        <>
          <SearchFilter label="Search" {...control('q')} />
          <SelectFilter label="Status" options={statuses} {...control('status')} />
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
