import { useNavigate } from '@tanstack/react-router';
import { Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import type { Tenant } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Email } from '../../ui/email.tsx';
import { EditForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { tenantOption } from '../../ui/forms/pickers.tsx';
import { linkClass, TextLink } from '../../ui/lists/names.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Details, type Fact } from '../../ui/records/facts.tsx';
import { RecordPage, WithAside } from '../../ui/records/record-page.tsx';
import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { Status } from '../../ui/status.tsx';
import { fullName, tenantStatus } from '../../ui/words.ts';
import { FilesSection } from '../files/files-section.tsx';
import { Timeline } from '../history/timeline.tsx';
import { tenantPanelColumns } from '../leases/lease-columns.tsx';
import { TenantLedger } from '../ledger/tenant-ledger.tsx';
import { LatestRequests } from '../maintenance/latest-requests.tsx';
import { TenantPayments } from '../payments/latest-payments.tsx';
import { RecordPayment } from '../payments/record-payment.tsx';
import { SameEmailNote, useSameEmail } from './same-email.tsx';
import { readTenant, TenantFields } from './tenant-fields.tsx';
import { TenantMenu } from './tenant-menu.tsx';

export const TenantPage = () => (
  <RecordPage noun="tenants" title="Tenant">
    {(tenant) => <ThisTenant tenant={tenant} />}
  </RecordPage>
);

function ThisTenant({ tenant }: { tenant: Tenant }) {
  const filter = { tenant_id: tenant.id };
  return (
    <Page
      title={fullName(tenant)}
      about={<Status of={tenantStatus[tenant.lease_status]} />}
      back="/tenants"
      // Remounted for each tenant, so that a dialog closes with the tenant it was opened for.
      actions={
        <>
          <TenantMenu key={`menu of ${tenant.id}`} tenant={tenant} />
          <Actions key={tenant.id} tenant={tenant} />
        </>
      }
    >
      <WithAside
        aside={
          <>
            <Details of={factsOf(tenant)} />
            <LatestRequests filter={filter} />
            <FilesSection key={tenant.id} record={tenant.id} />
            <Timeline path={`/tenants/${tenant.id}`} />
          </>
        }
      >
        <TenantLedger key={tenant.id} tenant={tenant} />
        <RecordPanel
          noun="leases"
          filter={filter}
          shown={20}
          title="Lease history"
          empty={`${tenant.first_name} has no lease yet.`}
          actions={<AddLease tenant={tenant} />}
          columns={tenantPanelColumns}
        />
        <TenantPayments tenant={tenant} />
      </WithAside>
    </Page>
  );
}

const outerLink = (address: string, text: string | null) =>
  text && (
    <a className={linkClass} href={address + text}>
      <Email address={text} />
    </a>
  );

const factsOf = ({ email, phone, property, unit, notes }: Tenant): Fact[] => [
  ['Email', outerLink('mailto:', email)],
  ['Phone', outerLink('tel:', phone)],
  ['Property', property && <TextLink to={`/properties/${property.id}`}>{property.name}</TextLink>],
  ['Unit', unit?.name],
  ['Notes', notes && <span className="whitespace-pre-line">{notes}</span>],
];

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
      {open === 'payment' && <RecordPayment payer={tenantOption(tenant)} onClose={() => setOpen(null)} />}
      {open === 'edit' && <EditTenant tenant={tenant} onClose={() => setOpen(null)} />}
    </>
  );
}

function EditTenant({ tenant: now, onClose }: { tenant: Tenant; onClose: () => void }) {
  const tenant = useAsOpened(now) ?? now;
  const sameEmail = useSameEmail(tenant);
  return (
    <Dialog title="Edit tenant" onClose={onClose}>
      <EditForm
        path={`/tenants/${tenant.id}`}
        read={readTenant}
        message="Tenant saved"
        submit={sameEmail.other ? 'Save anyway' : 'Save changes'}
        mustAsk={(values) => sameEmail.mustAsk(values.text('email'))}
        onClose={onClose}
      >
        <TenantFields tenant={tenant} onEmail={sameEmail.forget} />
        {sameEmail.other && <SameEmailNote of={sameEmail.other} action="Save anyway" />}
      </EditForm>
    </Dialog>
  );
}

function AddLease({ tenant }: { tenant: Tenant }) {
  const navigate = useNavigate();
  if (!useCanWrite()) return null;
  return (
    <Button
      icon={<Plus />}
      onClick={() => navigate({ to: '/leases/new', search: { tenant_id: tenant.id } as never })}
    >
      Add lease
    </Button>
  );
}
