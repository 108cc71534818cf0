import { useNavigate } from '@tanstack/react-router';
import { Check, ChevronDown, Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { useCanWrite, useCurrency } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay, formatMoment } from '../../ui/date.tsx';
import { changedFields } from '../../ui/forms/edit-form.tsx';
import { MoneyField, TextAreaField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { PropertyName, TenantName } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { PrintButton } from '../../ui/print.tsx';
import { Details, type Fact } from '../../ui/records/facts.tsx';
import { RecordPage, WithAside } from '../../ui/records/record-page.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceCategory, maintenanceStatus } from '../../ui/words.ts';
import { FilesSection } from '../files/files-section.tsx';
import { Timeline } from '../history/timeline.tsx';
import { AssigneeField } from './assignee-field.tsx';
import { MoveMenu, move } from './move-menu.tsx';
import { Priority } from './priority.tsx';

export const RequestPage = () => (
  <RecordPage noun="maintenance" title="Request">
    {(request) => <Request request={request} />}
  </RecordPage>
);

function Request({ request }: { request: MaintenanceRequest }) {
  return (
    <Page
      title={request.title}
      tab={`#${request.number} ${request.title}`}
      about={
        <span className="flex flex-wrap items-center gap-x-4">
          <span>#{request.number}</span>
          <Status of={maintenanceStatus[request.status]} />
          <Priority of={request.priority} />
        </span>
      }
      back="/maintenance"
      actions={
        <>
          <PrintButton />
          <Actions key={request.id} request={request} />
        </>
      }
    >
      <WithAside aside={<Details of={factsOf(request)} />}>
        <Section title="Description">
          <p className="max-w-[72ch] whitespace-pre-line wrap-anywhere">
            {request.description ?? <span className="text-soft">No description.</span>}
          </p>
        </Section>
        {request.resolution && (
          <Section title="Resolution">
            <p className="max-w-[72ch] whitespace-pre-line wrap-anywhere">{request.resolution}</p>
          </Section>
        )}
        <FilesSection key={request.id} record={request.id} title="Photos and documents" />
        <Timeline path={`/maintenance/${request.id}`} currency={request.currency} title="Timeline" />
      </WithAside>
    </Page>
  );
}

const factsOf = (request: MaintenanceRequest): Fact[] => [
  ['Property', <PropertyName key="property" of={request.property} isLink />],
  ['Unit', request.unit?.name],
  ['Reported by', request.tenant && <TenantName key="tenant" of={request.tenant} isLink />],
  ['Category', maintenanceCategory[request.category]],
  ['Assigned to', request.assigned_to],
  ['Scheduled for', request.scheduled_for && formatMoment(request.scheduled_for)],
  ['Due', request.due_on && formatDay(request.due_on)],
  ['Cost', request.cost_cents !== null && formatMoney(request.cost_cents, request.currency)],
  ['Created', formatMoment(request.created_at)],
  ['Completed', request.completed_at && formatMoment(request.completed_at)],
];

function Actions({ request }: { request: MaintenanceRequest }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'complete' | 'assign' | null>(null);
  const reopen = useAction(() => move(request, 'open'));
  if (!useCanWrite()) return null;
  const isFinished = request.status === 'completed' || request.status === 'cancelled';
  return (
    <>
      <Button icon={<Pencil />} onClick={() => navigate({ to: `/maintenance/${request.id}/edit` })}>
        Edit
      </Button>
      {!isFinished && <Button onClick={() => setOpen('assign')}>Assign</Button>}
      {!isFinished && (
        <MoveMenu
          request={request}
          except="completed"
          trigger={(isBusy) => (
            <Button isBusy={isBusy}>
              Move <ChevronDown />
            </Button>
          )}
        />
      )}
      {!isFinished && (
        <Button kind="main" icon={<Check />} onClick={() => setOpen('complete')}>
          Complete
        </Button>
      )}
      {request.status === 'completed' && (
        <Button icon={<RotateCcw />} onClick={() => reopen.run()} isBusy={reopen.isBusy}>
          Reopen
        </Button>
      )}
      {open === 'complete' && <CompleteDialog request={request} onClose={() => setOpen(null)} />}
      {open === 'assign' && <AssignDialog request={request} onClose={() => setOpen(null)} />}
    </>
  );
}

function CompleteDialog({ request, onClose }: { request: MaintenanceRequest; onClose: () => void }) {
  const currency = useCurrency();
  const read = (values: FormValues) => ({
    resolution: values.text('resolution'),
    cost_cents: values.money('cost_cents', currency),
  });
  return (
    <FormDialog
      title="Complete request"
      submit="Complete"
      onClose={onClose}
      onSubmit={(values, before) => {
        const body = { status: 'completed', ...changedFields(read(before), read(values)) };
        return saved(patch(`/maintenance/${request.id}`, body), 'Request completed');
      }}
    >
      <TextAreaField name="resolution" label="What was done" autoFocus defaultValue={request.resolution} />
      <MoneyField name="cost_cents" label="Cost" currency={currency} cents={request.cost_cents} />
    </FormDialog>
  );
}

function AssignDialog({ request, onClose }: { request: MaintenanceRequest; onClose: () => void }) {
  return (
    <FormDialog
      title="Assign request"
      submit="Assign"
      onClose={onClose}
      onSubmit={(values) => {
        const to = values.text('assigned_to');
        return saved(
          patch(`/maintenance/${request.id}`, { assigned_to: to }),
          to ? `Assigned to ${to}` : 'Assigned to nobody',
        );
      }}
    >
      <AssigneeField request={request} hint="A person or a company. Leave empty for nobody." autoFocus />
    </FormDialog>
  );
}
