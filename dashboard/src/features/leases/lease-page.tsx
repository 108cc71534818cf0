import { useNavigate } from '@tanstack/react-router';
import { CalendarSync, CalendarX, MailWarning, Pencil, Plus } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { Lease } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Day, formatDay, today } from '../../ui/date.tsx';
import { namedOption } from '../../ui/forms/pickers.tsx';
import { PropertyName, placeName, TenantName } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { PrintButton } from '../../ui/print.tsx';
import { MoreMenu } from '../../ui/records/delete-record.tsx';
import { type Fact, Facts } from '../../ui/records/facts.tsx';
import { RecordPage } from '../../ui/records/record-page.tsx';
import { Status } from '../../ui/status.tsx';
import { type Label, leaseStatus, proration } from '../../ui/words.ts';
import { FilesSection } from '../files/files-section.tsx';
import { Timeline } from '../history/timeline.tsx';
import { lateFeesInWords } from '../ledger/late-fee-words.ts';
import { LeaseLedger } from '../ledger/lease-ledger.tsx';
import { RecurringCharges } from '../ledger/recurring-charges.tsx';
import { LatestPayments } from '../payments/latest-payments.tsx';
import { RecordPayment } from '../payments/record-payment.tsx';
import { EndDialog, NoticeDialog, RenewDialog } from './lease-dialogs.tsx';

export const LeasePage = () => (
  <RecordPage noun="leases" title="Lease">
    {(lease) => <ThisLease lease={lease} />}
  </RecordPage>
);

function ThisLease({ lease }: { lease: Lease }) {
  const place = placeName(lease);
  return (
    <Page
      title={place || 'Lease'}
      tab={place ? `Lease: ${place}` : 'Lease'}
      about={
        <span className="flex flex-wrap gap-x-4">
          <Status of={statusOf(lease)} />
          {lease.tenants?.map((tenant) => (
            <TenantName key={tenant.id} of={tenant} isLink />
          ))}
        </span>
      }
      back="/leases"
      actions={
        <>
          <PrintButton />
          <Actions key={lease.id} lease={lease} />
        </>
      }
    >
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_320px] print:grid-cols-1">
        <div className="flex min-w-0 flex-col gap-8">
          <LeaseLedger lease={lease} />
          <LatestPayments filter={{ lease_id: lease.id }} />
        </div>
        <div className="flex min-w-0 flex-col gap-8 print:order-first">
          <Section title="Terms">
            <Facts of={termsOf(lease)} />
          </Section>
          <RecurringCharges lease={lease} />
          <div className="contents print:hidden">
            <FilesSection key={lease.id} record={lease.id} />
            <Timeline path={`/leases/${lease.id}`} currency={lease.currency} />
          </div>
        </div>
      </div>
    </Page>
  );
}

/** "Active, ends Dec 10, 2026": the day has been set, and has not come. */
function statusOf({ status, ended_on }: Lease): Label {
  const label = leaseStatus[status];
  if (ended_on === null || status === 'ended') return label;
  return { ...label, word: `${label.word}, ends ${formatDay(ended_on)}` };
}

const termsOf = (lease: Lease): Fact[] => [
  [
    lease.tenant_ids.length === 1 ? 'Tenant' : 'Tenants',
    lease.tenants?.map((tenant) => (
      <div key={tenant.id}>
        <TenantName of={tenant} isLink />
      </div>
    )),
  ],
  ['Property', <PropertyName key="property" of={lease.property} isLink />],
  ['Unit', lease.unit?.name],
  ['Start', formatDay(lease.start_date)],
  [endName(lease), <Day key="end" date={lease.ended_on ?? lease.end_date} none="Month to month" />],
  ['Rent', formatMoney(lease.current_rent_cents, lease.currency)],
  [
    'Rent changes',
    lease.rent_changes.length > 0 ? (
      <RentChanges key="changes" changes={lease.rent_changes} currency={lease.currency} />
    ) : null,
  ],
  ['Due on day', lease.due_day],
  ['Deposit', lease.deposit_cents !== null && formatMoney(lease.deposit_cents, lease.currency)],
  ['Notice given', lease.notice_given_on && formatDay(lease.notice_given_on)],
  ['Partial months', proration[lease.proration]],
  ['Late fees', lateFeesInWords(lease.late_fees, lease.currency)],
];

function endName({ ended_on }: Lease): string {
  if (ended_on === null) return 'End';
  return ended_on > today() ? 'Ends' : 'Ended';
}

const RentChanges = ({ changes, currency }: { changes: Lease['rent_changes']; currency: string }) =>
  changes.map(({ from, rent_cents }) => (
    <div key={from}>
      {formatMoney(rent_cents, currency)} from {formatDay(from)}
    </div>
  ));

function Actions({ lease }: { lease: Lease }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'notice' | 'end' | 'renew' | 'payment' | null>(null);
  const path = `/leases/${lease.id}`;
  const withdraw = useAction(() => saved(patch(path, { notice_given_on: null }), 'Notice withdrawn'));
  const reopen = useAction(() => saved(patch(path, { ended_on: null }), 'Lease reopened'));
  if (!useCanWrite()) return null;
  return (
    <>
      <MoreMenu
        path={path}
        noun="lease"
        about="Its unpaid rent and deposit charges are deleted with it."
        leave={() => navigate({ to: '/leases' })}
      />
      {lease.ended_on !== null && (
        <Button onClick={() => reopen.run()} isBusy={reopen.isBusy}>
          Reopen lease
        </Button>
      )}
      {/* Not by status, because notice may be given from a later day. */}
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
        <Button icon={<CalendarSync />} onClick={() => setOpen('renew')}>
          Renew
        </Button>
      )}
      {lease.ended_on === null && (
        <Button icon={<CalendarX />} onClick={() => setOpen('end')}>
          {lease.status === 'ended' ? 'Ended early' : 'End lease'}
        </Button>
      )}
      <Button icon={<Pencil />} onClick={() => navigate({ to: `${path}/edit` })}>
        Edit
      </Button>
      <Button kind="main" icon={<Plus />} onClick={() => setOpen('payment')}>
        Record payment
      </Button>
      {open === 'payment' && <PaymentOf lease={lease} onClose={() => setOpen(null)} />}
      {open === 'notice' && <NoticeDialog lease={lease} onClose={() => setOpen(null)} />}
      {open === 'end' && <EndDialog lease={lease} onClose={() => setOpen(null)} />}
      {open === 'renew' && <RenewDialog lease={lease} onClose={() => setOpen(null)} />}
    </>
  );
}

/** A payment by the lease's first tenant; another one can be chosen. */
function PaymentOf({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  const [tenant] = lease.tenants ?? [];
  const payer = tenant && { payer: namedOption(tenant) };
  return <RecordPayment {...payer} leaseId={lease.id} onClose={onClose} />;
}
