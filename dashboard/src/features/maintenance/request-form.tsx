import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { one, tenanciesOf, useRecord } from '../../api/queries.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { momentField, momentOf, zoneElsewhere } from '../../ui/date.tsx';
import type { Option } from '../../ui/forms/combobox.tsx';
import { EditPageForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import {
  DateField,
  FieldRow,
  MoneyField,
  SelectField,
  TextAreaField,
  TextField,
} from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { useBack, useLeave } from '../../ui/forms/leaving.tsx';
import {
  namedOption,
  PropertyPicker,
  propertyOption,
  TenantPicker,
  UnitPicker,
} from '../../ui/forms/pickers.tsx';
import { Page } from '../../ui/page.tsx';
import { usePathId } from '../../ui/records/record-page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { maintenanceCategory, maintenancePriority, optionsOf } from '../../ui/words.ts';
import { AssigneeField } from './assignee-field.tsx';

interface Linked {
  property: Option | null;
  unit: Option | null;
  tenant: Option | null;
}

export function NewRequestPage() {
  const leaveTo = useLeave();
  const goBack = useBack('/maintenance');
  const { property_id } = useSearch({ strict: false }) as { property_id?: string };
  const property = useRecord('properties', property_id);
  const chosen = property.data ? propertyOption(property.data) : property_id ? unnamed(property_id) : null;
  // Not isLoading, because a retry after a failure must not remove the form.
  const isWaiting = property_id && !property.isFetched;
  return (
    <Page title="New request" back="/maintenance" width="form">
      {isWaiting ? (
        <Skeleton count={8} />
      ) : (
        <Form
          submit="Add request"
          isPage
          onCancel={goBack}
          onSubmit={async (values) => {
            const body = { property_id: values.text('property_id') || undefined, ...readRequest(values) };
            const request = await saved(create<MaintenanceRequest>('/maintenance', body), 'Request added');
            await leaveTo(`/maintenance/${request.id}`);
          }}
        >
          <RequestFields linked={{ property: chosen, unit: null, tenant: null }} />
        </Form>
      )}
    </Page>
  );
}

export function EditRequestPage() {
  const id = usePathId();
  const currency = useCurrency();
  const query = useQuery(one('maintenance', id));
  const request = useAsOpened(query.data);
  const back = `/maintenance/${id}`;
  return (
    <Page title={request ? `Edit #${request.number}` : 'Edit request'} back={back} width="form">
      <Loaded query={{ ...query, data: request && { request, linked: linkedTo(request) } }}>
        {(opened) => (
          <EditPageForm
            key={opened.request.id}
            path={back}
            read={(values) => ({
              property_id: values.optional('property_id'),
              ...readRequest(values),
              cost_cents: values.money('cost_cents', currency),
              resolution: values.text('resolution'),
            })}
            message="Request saved"
          >
            <RequestFields {...opened} />
            <FieldRow>
              <MoneyField
                name="cost_cents"
                label="Cost"
                currency={currency}
                cents={opened.request.cost_cents}
              />
            </FieldRow>
            <TextAreaField name="resolution" label="Resolution" defaultValue={opened.request.resolution} />
          </EditPageForm>
        )}
      </Loaded>
    </Page>
  );
}

/** The records that a request refers to, as options of the pickers. */
const linkedTo = ({ property, unit, tenant }: MaintenanceRequest): Linked => ({
  property: property ? namedOption(property) : null,
  unit: unit ? namedOption(unit) : null,
  tenant: tenant ? namedOption(tenant) : null,
});

/** A record that could not be fetched stays chosen, without its name. */
const unnamed = (id: string): Option => ({ value: id, label: '…' });

/** The choice, with its name once that is known. */
const named = (chosen: Option | null, known: Option | null): Option | null =>
  chosen?.value === known?.value ? known : chosen;

function RequestFields({ linked, request }: { linked: Linked; request?: MaintenanceRequest }) {
  const [property, setProperty] = useState(linked.property);
  const [unit, setUnit] = useState(linked.unit);
  const [tenant, setTenant] = useState(linked.tenant);
  const zone = zoneElsewhere();
  const [isFilledIn, setFilledIn] = useState(false);
  // The query from which the units are chosen, too.
  const tenancies = useQuery({ ...tenanciesOf(property?.value ?? ''), enabled: property !== null });
  /** Whoever lives there has probably reported it. A tenant chosen by hand stays. */
  const fillIn = (unitId: string | undefined) => {
    if (tenant && !isFilledIn) return;
    const home = tenancies.data?.find(({ id }) => id === unitId);
    const [first] = home?.lease && home.lease.status !== 'upcoming' ? home.tenants : [];
    setTenant(first ? namedOption(first) : null);
    setFilledIn(first !== undefined);
  };
  return (
    <>
      <TextField
        name="title"
        label="Title"
        required
        autoFocus
        defaultValue={request?.title}
        placeholder="Kitchen tap drips"
      />
      <FieldRow columns={3}>
        <PropertyPicker
          selected={named(property, linked.property)}
          onSelect={(option) => {
            setProperty(option);
            setUnit(null);
            fillIn(undefined);
          }}
        />
        <UnitPicker
          propertyId={property?.value ?? null}
          selected={named(unit, linked.unit)}
          onSelect={(option) => {
            setUnit(option);
            fillIn(option?.value);
          }}
        />
        <TenantPicker
          label="Reported by"
          selected={named(tenant, linked.tenant)}
          onSelect={(option) => {
            setTenant(option);
            setFilledIn(false);
          }}
          {...(isFilledIn ? { hint: 'Lives in this unit' } : {})}
        />
      </FieldRow>
      <FieldRow>
        <SelectField
          name="priority"
          label="Priority"
          options={optionsOf(maintenancePriority)}
          defaultValue={request?.priority ?? 'medium'}
        />
        <SelectField
          name="category"
          label="Category"
          options={optionsOf(maintenanceCategory)}
          defaultValue={request?.category ?? 'other'}
        />
      </FieldRow>
      <TextAreaField name="description" label="Description" rows={4} defaultValue={request?.description} />
      <FieldRow columns={3}>
        <AssigneeField request={request} />
        <TextField
          name="scheduled_for"
          label="Scheduled for"
          type="datetime-local"
          min="1900-01-01T00:00"
          max="2999-12-31T23:59"
          hint={zone ? `In the time of ${zone.replaceAll('_', ' ')}.` : undefined}
          defaultValue={momentField(request?.scheduled_for)}
        />
        <DateField name="due_on" label="Due" defaultValue={request?.due_on} />
      </FieldRow>
    </>
  );
}

const readRequest = (values: FormValues) => ({
  title: values.text('title'),
  unit_id: values.optional('unit_id'),
  tenant_id: values.optional('tenant_id'),
  priority: values.text('priority'),
  category: values.text('category'),
  description: values.text('description'),
  assigned_to: values.text('assigned_to'),
  scheduled_for: momentOf(values.optional('scheduled_for')),
  due_on: values.optional('due_on'),
});
