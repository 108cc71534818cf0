import { useNavigate } from '@tanstack/react-router';
import { Archive, ArchiveRestore, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { Property } from '../../api/records.ts';
import { useCanWrite, useCurrency } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page } from '../../ui/page.tsx';
import { MoreMenu } from '../../ui/records/delete-record.tsx';
import { Facts } from '../../ui/records/facts.tsx';
import { Halves, RecordPage } from '../../ui/records/record-page.tsx';
import { Status } from '../../ui/status.tsx';
import { propertyType } from '../../ui/words.ts';
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
          addressOf(property)
        )
      }
      back="/properties"
      actions={<Actions property={property} />}
    >
      <div className="flex flex-col gap-8">
        <Facts
          columns="across"
          of={[
            ['Type', propertyType[property.type]],
            [
              'Occupied',
              property.unit_count > 0 && `${property.occupied_unit_count} of ${property.unit_count}`,
            ],
            ['Year built', property.year_built],
            [
              'Late fees',
              property.late_fees === 'inherit' ? null : lateFeesInWords(property.late_fees, currency),
            ],
            ['Notes', property.notes && <span className="whitespace-pre-line">{property.notes}</span>],
          ]}
        />
        <PropertyUnits property={property} />
        <Halves>
          <LatestPayments filter={filter} />
          <LatestRequests filter={filter} />
          <FilesSection key={property.id} record={property.id} />
          <Timeline path={`/properties/${property.id}`} currency={currency} />
        </Halves>
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
