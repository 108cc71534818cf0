import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import { first, one } from '../../api/queries.ts';
import type { Property, Tenant } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Problem } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { fullName, propertyType, tenantStatus } from '../../ui/words.ts';
import { LatestRequests } from '../maintenance/latest-requests.tsx';
import { LatestPayments } from '../payments/latest-payments.tsx';
import { PropertyUnits } from '../units/property-units.tsx';
import { addressOf } from './property-list.tsx';

export function PropertyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: property, error, refetch } = useQuery(one('properties', id));
  if (!property) {
    return (
      <Page title="Property" back="/properties">
        {error ? <Problem error={error} onRetry={refetch} /> : <Lines count={10} />}
      </Page>
    );
  }
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
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-8">
          <PropertyUnits property={property} />
          <Tenants property={property} />
          <LatestPayments filter={{ property_id: id }} />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Section title="Details">
            <Facts
              of={[
                ['Type', propertyType[property.type]],
                ['Address', addressOf(property) || null],
                ['Year built', property.year_built],
                ['Occupied', `${property.occupied_unit_count} of ${property.unit_count}`],
                ['Notes', property.notes && <span className="whitespace-pre-line">{property.notes}</span>],
              ]}
            />
          </Section>
          <LatestRequests filter={{ property_id: id }} />
        </div>
      </div>
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
          It leaves the lists, and on the start page the occupancy, repairs and leases that end. Its leases,
          payments and repairs are kept, its rent still counts, and you can restore it.
        </Confirm>
      )}
    </>
  );
}

function Tenants({ property }: { property: Property }) {
  const query = useQuery(
    first('tenants', { property_id: property.id, lease_status: 'active,notice,upcoming' }, 100),
  );
  return (
    <Panel<Tenant>
      title="Tenants"
      query={query}
      rowLink={(tenant) => `/tenants/${tenant.id}`}
      empty="Nobody rents here yet."
      columns={[
        { name: 'Name', phone: 'title', cell: fullName },
        { name: 'Unit', phone: 'line', cell: (tenant) => tenant.unit?.name ?? '–' },
        { name: 'Email', cell: (tenant) => tenant.email ?? '–', className: 'text-soft' },
        {
          name: 'Lease',
          phone: 'aside',
          cell: (tenant) => <Status of={tenantStatus[tenant.lease_status]} />,
        },
      ]}
      more={
        (query.data?.length ?? 0) >= 100 && (
          <TextLink to="/tenants" search={{ property_id: property.id }}>
            Show all
          </TextLink>
        )
      }
    />
  );
}
