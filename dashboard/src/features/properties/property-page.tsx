import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { Property, Tenant } from '../../api/records.ts';
import { useCanWrite, useCurrency } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Email } from '../../ui/email.tsx';
import { statusColumn } from '../../ui/lists/columns.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { MoreMenu } from '../../ui/records/delete-record.tsx';
import { Details } from '../../ui/records/facts.tsx';
import { RecordPage, WithAside } from '../../ui/records/record-page.tsx';
import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { Status } from '../../ui/status.tsx';
import { fullName, propertyType, tenantStatus } from '../../ui/words.ts';
import { FilesSection } from '../files/files-section.tsx';
import { Timeline } from '../history/timeline.tsx';
import { lateFeesInWords } from '../ledger/late-fee-words.ts';
import { LatestRequests } from '../maintenance/latest-requests.tsx';
import { LatestPayments } from '../payments/latest-payments.tsx';
import { PropertyUnits } from '../units/property-units.tsx';
import { addressOf } from './property-list.tsx';

export const PropertyPage = () => (
  <RecordPage noun="properties" title="Property">
    {(property) => <ThisProperty property={property} />}
  </RecordPage>
);

function ThisProperty({ property }: { property: Property }) {
  const filter = { property_id: property.id };
  const currency = useCurrency();
  return (
    <Page
      title={property.name}
      about={
        property.status === 'archived' ? (
          <Status of={{ word: 'Archived', tone: 'off' }} />
        ) : (
          addressOf(property) || propertyType[property.type]
        )
      }
      back="/properties"
      actions={<Actions property={property} />}
    >
      <WithAside
        aside={
          <>
            <Details
              of={[
                ['Type', propertyType[property.type]],
                ['Address', addressOf(property) || null],
                ['Year built', property.year_built],
                ['Occupied', `${property.occupied_unit_count} of ${property.unit_count}`],
                [
                  'Late fees',
                  property.late_fees === 'inherit' ? null : lateFeesInWords(property.late_fees, currency),
                ],
                ['Notes', property.notes && <span className="whitespace-pre-line">{property.notes}</span>],
              ]}
            />
            <LatestRequests filter={filter} />
          </>
        }
      >
        <PropertyUnits property={property} />
        <RecordPanel
          noun="tenants"
          filter={{ ...filter, lease_status: 'active,notice,upcoming' }}
          search={filter}
          shown={100}
          title="Tenants"
          empty="Nobody rents here yet."
          columns={tenantColumns}
        />
        <LatestPayments filter={filter} />
        <FilesSection key={property.id} record={property.id} />
        <Timeline path={`/properties/${property.id}`} currency={currency} />
      </WithAside>
    </Page>
  );
}

function Actions({ property }: { property: Property }) {
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const path = `/properties/${property.id}`;
  const restore = useAction(() => saved(patch(path, { status: 'active' }), 'Property restored'));
  if (!useCanWrite()) return null;
  return (
    <>
      <MoreMenu
        path={path}
        noun="property"
        name={property.name}
        leave={() => navigate({ to: '/properties' })}
      />
      {property.status === 'active' ? (
        <Button icon={<Archive />} onClick={() => setAsking(true)}>
          Archive
        </Button>
      ) : (
        <Button icon={<ArchiveRestore />} onClick={() => restore.run()} isBusy={restore.isBusy}>
          Restore
        </Button>
      )}
      <Button icon={<Pencil />} onClick={() => navigate({ to: `${path}/edit` })}>
        Edit
      </Button>
      <Button
        kind="main"
        icon={<Plus />}
        onClick={() => navigate({ to: '/leases/new', search: { property_id: property.id } as never })}
      >
        Add lease
      </Button>
      {isAsking && (
        <Confirm
          title={`Archive ${property.name}?`}
          action="Archive"
          onClose={() => setAsking(false)}
          onConfirm={() => saved(patch(path, { status: 'archived' }), 'Property archived')}
        >
          It no longer appears in the list of properties, and its units no longer count towards occupancy. Its
          leases, payments and repairs stay, and its rent still counts. You can restore it at any time.
        </Confirm>
      )}
    </>
  );
}

const tenantColumns: Column<Tenant>[] = [
  { name: 'Name', phone: 'title', cell: fullName },
  { name: 'Unit', phone: 'line', cell: (tenant) => tenant.unit?.name ?? '–' },
  {
    name: 'Email',
    className: 'text-soft',
    cell: ({ email }) => (email ? <Email address={email} /> : '–'),
  },
  statusColumn('Lease', (tenant) => tenantStatus[tenant.lease_status]),
];
