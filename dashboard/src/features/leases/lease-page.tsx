import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CalendarX, MailWarning, Pencil } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import { one } from '../../api/queries.ts';
import type { Lease } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Day, formatDay, today } from '../../ui/date.tsx';
import { changedFields } from '../../ui/forms/edit-form.tsx';
import { DateField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { PropertyName, TenantName, UnitName } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { type Fact, Facts } from '../../ui/records/facts.tsx';
import { RecordPage } from '../../ui/records/record-page.tsx';
import { Status } from '../../ui/status.tsx';
import { leaseStatus } from '../../ui/words.ts';
import { LatestPayments } from '../payments/latest-payments.tsx';

export const LeasePage = () => (
  <RecordPage noun="leases" title="Lease">
    {(lease) => <ThisLease lease={lease} />}
  </RecordPage>
);

function ThisLease({ lease }: { lease: Lease }) {
  const unit = useQuery(one('units', lease.unit_id));
  const property = useQuery(one('properties', lease.property_id));
  const place = [property.data?.name, unit.data?.name].filter(Boolean).join(', ');
  return (
    <Page
      title={place || 'Lease'}
      tab={place ? `Lease: ${place}` : 'Lease'}
      about={<Status of={leaseStatus[lease.status]} />}
      back="/leases"
      actions={<Actions key={lease.id} lease={lease} />}
    >
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="order-2 min-w-0 xl:order-1">
          <LatestPayments filter={{ lease_id: lease.id }} />
        </div>
        <Section title="Terms" className="order-1 xl:order-2">
          <Facts of={termsOf(lease)} />
        </Section>
      </div>
    </Page>
  );
}

const termsOf = (lease: Lease): Fact[] => [
  [
    lease.tenant_ids.length === 1 ? 'Tenant' : 'Tenants',
    lease.tenant_ids.map((id) => (
      <div key={id}>
        <TenantName id={id} isLink />
      </div>
    )),
  ],
  ['Property', <PropertyName key="property" id={lease.property_id} isLink />],
  ['Unit', <UnitName key="unit" id={lease.unit_id} />],
  ['Start', formatDay(lease.start_date)],
  ['End', <Day key="end" date={lease.end_date} none="Month to month" />],
  ['Rent', formatMoney(lease.rent_cents, lease.currency)],
  ['Due on day', lease.due_day],
  ['Deposit', lease.deposit_cents && formatMoney(lease.deposit_cents, lease.currency)],
  ['Notice given', lease.notice_given_on && formatDay(lease.notice_given_on)],
  ['Ended', lease.ended_on && formatDay(lease.ended_on)],
];

function Actions({ lease }: { lease: Lease }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'notice' | 'end' | null>(null);
  const path = `/leases/${lease.id}`;
  const withdraw = useAction(() => saved(patch(path, { notice_given_on: null }), 'Notice withdrawn'));
  const reopen = useAction(() => saved(patch(path, { ended_on: null }), 'Lease reopened'));
  if (!useCanWrite()) return null;
  return (
    <>
      {lease.ended_on !== null && (
        <Button onClick={() => reopen.run()} isBusy={reopen.isBusy}>
          Reopen lease
        </Button>
      )}
      {/* Not by status: the server computes it in UTC, where a notice of today may still be in the future. */}
      {lease.notice_given_on !== null && lease.status !== 'ended' && (
        <Button onClick={() => withdraw.run()} isBusy={withdraw.isBusy}>
          Withdraw notice
        </Button>
      )}
      {lease.status === 'active' && lease.notice_given_on === null && (
        <Button icon={<MailWarning />} onClick={() => setOpen('notice')}>
          Give notice
        </Button>
      )}
      {lease.ended_on === null && (
        <Button icon={<CalendarX />} onClick={() => setOpen('end')}>
          End lease
        </Button>
      )}
      <Button kind="main" icon={<Pencil />} onClick={() => navigate({ to: `${path}/edit` })}>
        Edit
      </Button>
      {open === 'notice' && <NoticeDialog lease={lease} onClose={() => setOpen(null)} />}
      {open === 'end' && <EndDialog path={path} onClose={() => setOpen(null)} />}
    </>
  );
}

function NoticeDialog({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  return (
    <FormDialog
      title="Give notice"
      description="Records that the tenants are leaving. The lease runs until its last day."
      submit="Give notice"
      onClose={onClose}
      onSubmit={(values, before) => {
        const endDate = (form: FormValues) => ({ end_date: form.optional('end_date') });
        const body = {
          notice_given_on: values.text('notice_given_on'),
          ...changedFields(endDate(before), endDate(values)),
        };
        return saved(patch(`/leases/${lease.id}`, body), 'Notice recorded');
      }}
    >
      <DateField name="notice_given_on" label="Notice given on" defaultValue={today()} autoFocus />
      <DateField name="end_date" label="Last day" defaultValue={lease.end_date} />
    </FormDialog>
  );
}

function EndDialog({ path, onClose }: { path: string; onClose: () => void }) {
  return (
    <FormDialog
      title="End lease"
      description="The unit is free from this day on."
      submit="End lease"
      onClose={onClose}
      onSubmit={(values) => saved(patch(path, { ended_on: values.text('ended_on') }), 'Lease ended')}
    >
      <DateField name="ended_on" label="Ended on" defaultValue={today()} autoFocus />
    </FormDialog>
  );
}
