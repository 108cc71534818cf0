import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { one } from '../../api/queries.ts';
import type { Lease } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { EditForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useBack, useLeave } from '../../ui/forms/leaving.tsx';
import { propertyOption } from '../../ui/forms/pickers.tsx';
import { Page } from '../../ui/page.tsx';
import { Lines, Problem } from '../../ui/states.tsx';
import {
  LeaseTerms,
  optionOfTenant,
  PlaceFields,
  readTenantIds,
  readTerms,
  TenantsField,
} from './lease-fields.tsx';

export function NewLeasePage() {
  const leaveTo = useLeave();
  const goBack = useBack('/leases');
  const currency = useCurrency();
  const { property_id, tenant_id } = useSearch({ strict: false }) as {
    property_id?: string;
    tenant_id?: string;
  };
  const property = useQuery({ ...one('properties', property_id ?? ''), enabled: !!property_id });
  const tenant = useQuery({ ...one('tenants', tenant_id ?? ''), enabled: !!tenant_id });
  // Not isPending: another try after a failure must not take the form away.
  if ((property_id && !property.isFetched) || (tenant_id && !tenant.isFetched)) {
    return (
      <Page title="New lease" back="/leases" width="form">
        <Lines count={8} />
      </Page>
    );
  }
  return (
    <Page title="New lease" back="/leases" width="form">
      <Form
        submit="Add lease"
        isPage
        onCancel={goBack}
        onSubmit={async (values) => {
          const body = {
            unit_id: values.text('unit_id') || undefined,
            tenant_ids: readTenantIds(values),
            ...readTerms(values, currency),
          };
          const lease = await saved(create<Lease>('/leases', body), 'Lease added');
          await leaveTo(`/leases/${lease.id}`);
        }}
      >
        <PlaceFields given={property.data ? propertyOption(property.data) : null} />
        <TenantsField given={tenant.data ? [optionOfTenant(tenant.data)] : []} />
        <LeaseTerms currency={currency} />
      </Form>
    </Page>
  );
}

export function EditLeasePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const leaveTo = useLeave();
  const { data, error, refetch } = useQuery(one('leases', id));
  const lease = useAsOpened(data);
  const tenants = useQueries({
    queries: (lease?.tenant_ids ?? []).map((tenantId) => one('tenants', tenantId)),
  });
  const back = `/leases/${id}`;
  const unknown = tenants.find((tenant) => tenant.error);
  const isReady = lease && tenants.every((tenant) => tenant.data);
  return (
    <Page title="Change lease" back={back} width="form">
      {error && <Problem error={error} onRetry={refetch} />}
      {!isReady && !error && unknown && <Problem error={unknown.error} onRetry={unknown.refetch} />}
      {!isReady && !error && !unknown && <Lines count={8} />}
      {isReady && (
        <EditForm
          key={lease.id}
          path={back}
          isPage
          read={(values) => ({ tenant_ids: readTenantIds(values), ...readTerms(values, lease.currency) })}
          message="Lease saved"
          onClose={() => leaveTo(back)}
        >
          <TenantsField
            given={tenants.flatMap((tenant) => (tenant.data ? [optionOfTenant(tenant.data)] : []))}
          />
          <LeaseTerms currency={lease.currency} lease={lease} />
        </EditForm>
      )}
    </Page>
  );
}
