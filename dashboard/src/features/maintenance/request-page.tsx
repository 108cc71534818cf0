import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Check, ChevronDown, Pencil, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import { one } from '../../api/queries.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { useCanWrite, useCurrency } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Day, formatMoment } from '../../ui/date.tsx';
import { Facts } from '../../ui/facts.tsx';
import { changedFields } from '../../ui/forms/edit-form.tsx';
import { MoneyField, TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { PropertyName, TenantName, UnitName } from '../../ui/lists/names.tsx';
import { Money } from '../../ui/money.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Lines, Problem } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceCategory, maintenancePriority, maintenanceStatus } from '../../ui/words.ts';
import { CancelRequest } from './cancel-request.tsx';
import { movesFrom } from './moves.ts';

export function RequestPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: request, error, refetch } = useQuery(one('maintenance', id));
  if (!request) {
    return (
      <Page title="Request" back="/maintenance">
        {error ? <Problem error={error} onRetry={refetch} /> : <Lines count={8} />}
      </Page>
    );
  }
  return (
    <Page
      title={request.title}
      tab={`#${request.number} ${request.title}`}
      about={
        <span className="flex flex-wrap items-center gap-x-4">
          <span>#{request.number}</span>
          <Status of={maintenanceStatus[request.status]} />
          <Status of={maintenancePriority[request.priority]} />
        </span>
      }
      back="/maintenance"
      actions={<Actions key={request.id} request={request} />}
    >
      <div className="grid gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-8">
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
        </div>
        <Section title="Details">
          <Facts
            of={[
              ['Property', <PropertyName key="property" id={request.property_id} isLink />],
              ['Unit', request.unit_id && <UnitName key="unit" id={request.unit_id} />],
              ['Reported by', request.tenant_id && <TenantName key="tenant" id={request.tenant_id} isLink />],
              ['Category', maintenanceCategory[request.category]],
              ['Assigned to', request.assigned_to],
              ['Scheduled for', request.scheduled_for && formatMoment(request.scheduled_for)],
              ['Due', request.due_on && <Day key="due" date={request.due_on} />],
              [
                'Cost',
                request.cost_cents && (
                  <Money key="cost" cents={request.cost_cents} currency={request.currency} />
                ),
              ],
              ['Made', formatMoment(request.created_at)],
              ['Completed', request.completed_at && formatMoment(request.completed_at)],
            ]}
          />
        </Section>
      </div>
    </Page>
  );
}

function Actions({ request }: { request: MaintenanceRequest }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'complete' | 'assign' | 'cancel' | null>(null);
  const path = `/maintenance/${request.id}`;
  const move = useAction((status: MaintenanceRequest['status']) =>
    saved(patch(path, { status }), `Request: ${maintenanceStatus[status].word.toLowerCase()}`),
  );
  if (!useCanWrite()) return null;
  const others = movesFrom(request.status).filter((status) => status !== 'completed');
  const isFinished = request.status === 'completed' || request.status === 'cancelled';
  return (
    <>
      <Button icon={<Pencil />} onClick={() => navigate({ to: `${path}/edit` })}>
        Edit
      </Button>
      {!isFinished && <Button onClick={() => setOpen('assign')}>Assign</Button>}
      {!isFinished && (
        <Menu
          trigger={
            <Button isBusy={move.isBusy}>
              Move <ChevronDown />
            </Button>
          }
        >
          {others.map((status) => (
            <MenuItem
              key={status}
              onSelect={() => (status === 'cancelled' ? setOpen('cancel') : move.run(status))}
            >
              <Status of={maintenanceStatus[status]} />
            </MenuItem>
          ))}
        </Menu>
      )}
      {!isFinished && (
        <Button kind="main" icon={<Check />} onClick={() => setOpen('complete')}>
          Complete
        </Button>
      )}
      {request.status === 'completed' && (
        <Button icon={<RotateCcw />} onClick={() => move.run('open')} isBusy={move.isBusy}>
          Reopen
        </Button>
      )}
      {open === 'complete' && <CompleteDialog request={request} onClose={() => setOpen(null)} />}
      {open === 'assign' && <AssignDialog request={request} onClose={() => setOpen(null)} />}
      {open === 'cancel' && <CancelRequest request={request} onClose={() => setOpen(null)} />}
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
    <Dialog title="Complete request" onClose={onClose}>
      <Form
        submit="Complete"
        onCancel={onClose}
        onSubmit={async (values, before) => {
          const body = { status: 'completed', ...changedFields(read(before), read(values)) };
          await saved(patch(`/maintenance/${request.id}`, body), 'Request completed');
          onClose();
        }}
      >
        <TextAreaField
          name="resolution"
          label="What was done"
          autoFocus
          defaultValue={request.resolution ?? ''}
        />
        <MoneyField name="cost_cents" label="Cost" currency={currency} cents={request.cost_cents} />
      </Form>
    </Dialog>
  );
}

function AssignDialog({ request, onClose }: { request: MaintenanceRequest; onClose: () => void }) {
  return (
    <Dialog title="Assign request" onClose={onClose}>
      <Form
        submit="Assign"
        onCancel={onClose}
        onSubmit={async (values) => {
          const to = values.text('assigned_to');
          await saved(
            patch(`/maintenance/${request.id}`, { assigned_to: to }),
            to ? `Assigned to ${to}` : 'Assigned to nobody',
          );
          onClose();
        }}
      >
        <TextField
          name="assigned_to"
          label="Assigned to"
          hint="A person or a company. Leave empty for nobody."
          autoFocus
          defaultValue={request.assigned_to ?? ''}
        />
      </Form>
    </Dialog>
  );
}
