import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { first, one } from '../../api/queries.ts';
import type { Lease, Tenant } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Day } from '../../ui/date.tsx';
import { Facts } from '../../ui/facts.tsx';
import { EditForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { linkClass, PlaceName, TextLink } from '../../ui/lists/names.tsx';
import { Money } from '../../ui/money.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Lines, Problem } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { fullName, leaseStatus, tenantStatus } from '../../ui/words.ts';
import { LatestRequests } from '../maintenance/latest-requests.tsx';
import { LatestPayments } from '../payments/latest-payments.tsx';
import { RecordPayment } from '../payments/record-payment.tsx';
import { readTenant, TenantFields } from './tenant-fields.tsx';

export function TenantPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: tenant, error, refetch } = useQuery(one('tenants', id));
  if (!tenant) {
    return (
      <Page title="Tenant" back="/tenants">
        {error ? <Problem error={error} onRetry={refetch} /> : <Lines count={10} />}
      </Page>
    );
  }
  return (
    <Page
      title={fullName(tenant)}
      about={<Status of={tenantStatus[tenant.lease_status]} />}
      back="/tenants"
      // Anew for each tenant: a dialog goes with the one that it was opened for.
      actions={<Actions key={tenant.id} tenant={tenant} />}
    >
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-8">
          <Leases tenant={tenant} />
          <LatestPayments filter={{ tenant_id: id }} isOfTenant />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Section title="Details">
            <Facts
              of={[
                [
                  'Email',
                  tenant.email && (
                    <a className={linkClass} href={`mailto:${tenant.email}`}>
                      {tenant.email}
                    </a>
                  ),
                ],
                [
                  'Phone',
                  tenant.phone && (
                    <a className={linkClass} href={`tel:${tenant.phone}`}>
                      {tenant.phone}
                    </a>
                  ),
                ],
                [
                  'Property',
                  tenant.property && (
                    <TextLink to={`/properties/${tenant.property.id}`}>{tenant.property.name}</TextLink>
                  ),
                ],
                ['Unit', tenant.unit?.name],
                ['Notes', tenant.notes && <span className="whitespace-pre-line">{tenant.notes}</span>],
              ]}
            />
          </Section>
          <LatestRequests filter={{ tenant_id: id }} />
        </div>
      </div>
    </Page>
  );
}

function Actions({ tenant }: { tenant: Tenant }) {
  const [open, setOpen] = useState<'edit' | 'payment' | null>(null);
  if (!useCanWrite()) return null;
  return (
    <>
      <Button icon={<Pencil />} onClick={() => setOpen('edit')}>
        Edit
      </Button>
      <Button kind="main" icon={<Plus />} onClick={() => setOpen('payment')}>
        Record payment
      </Button>
      {open === 'payment' && <RecordPayment tenant={tenant} onClose={() => setOpen(null)} />}
      {open === 'edit' && <EditTenant tenant={tenant} onClose={() => setOpen(null)} />}
    </>
  );
}

function EditTenant({ tenant: now, onClose }: { tenant: Tenant; onClose: () => void }) {
  const tenant = useAsOpened(now) ?? now;
  return (
    <Dialog title="Edit tenant" onClose={onClose}>
      <EditForm path={`/tenants/${tenant.id}`} read={readTenant} message="Tenant saved" onClose={onClose}>
        <TenantFields tenant={tenant} />
      </EditForm>
    </Dialog>
  );
}

const shownLeases = 20;

function Leases({ tenant }: { tenant: Tenant }) {
  const navigate = useNavigate();
  const query = useQuery(first('leases', { tenant_id: tenant.id }, shownLeases));
  const canWrite = useCanWrite();
  return (
    <Panel<Lease>
      title="Lease history"
      query={query}
      rowLink={(lease) => `/leases/${lease.id}`}
      empty={`${tenant.first_name} has no lease yet.`}
      actions={
        canWrite && (
          <Button
            icon={<Plus />}
            onClick={() => navigate({ to: '/leases/new', search: { tenant_id: tenant.id } as never })}
          >
            Add lease
          </Button>
        )
      }
      columns={[
        {
          name: 'Unit',
          phone: 'title',
          cell: (lease) => <PlaceName propertyId={lease.property_id} unitId={lease.unit_id} />,
        },
        { name: 'From', phone: 'line', cell: (lease) => <Day date={lease.start_date} /> },
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
      ]}
      more={
        (query.data?.length ?? 0) >= shownLeases && (
          <TextLink to="/leases" search={{ tenant_id: tenant.id }}>
            Show all
          </TextLink>
        )
      }
    />
  );
}
