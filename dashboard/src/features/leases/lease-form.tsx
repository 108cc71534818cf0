import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { one, useRecord } from '../../api/queries.ts';
import type { Lease } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { EditPageForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { useBack, useLeave } from '../../ui/forms/leaving.tsx';
import { namedOption, propertyOption, tenantOption } from '../../ui/forms/pickers.tsx';
import { Page } from '../../ui/page.tsx';
import { usePathId } from '../../ui/records/record-page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { LeaseTerms, PlaceFields, readTenantIds, readTerms, TenantsField } from './lease-fields.tsx';

export function NewLeasePage() {
  const leaveTo = useLeave();
  const goBack = useBack('/leases');
  const currency = useCurrency();
  const { property_id, tenant_id } = useSearch({ strict: false }) as {
    property_id?: string;
    tenant_id?: string;
  };
  const property = useRecord('properties', property_id);
  const tenant = useRecord('tenants', tenant_id);
  // Not isPending, because a retry after a failure must not remove the form.
  const isWaiting = (property_id && !property.isFetched) || (tenant_id && !tenant.isFetched);
  return (
    <Page title="New lease" back="/leases" width="form">
      {isWaiting ? (
        <Skeleton count={8} />
      ) : (
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
          <PlaceFields initial={property.data ? propertyOption(property.data) : null} />
          <TenantsField initial={tenant.data ? [tenantOption(tenant.data)] : []} />
          <LeaseTerms currency={currency} />
        </Form>
      )}
    </Page>
  );
}

export function EditLeasePage() {
  const id = usePathId();
  const query = useQuery(one('leases', id));
  const lease = useAsOpened(query.data);
  const back = `/leases/${id}`;
  return (
    <Page title="Edit lease" back={back} width="form">
      <Loaded query={{ ...query, data: lease }}>
        {(opened) => (
          <EditPageForm
            key={opened.id}
            path={back}
            read={(values) => ({ tenant_ids: readTenantIds(values), ...readTerms(values, opened.currency) })}
            message="Lease saved"
          >
            <TenantsField initial={(opened.tenants ?? []).map(namedOption)} />
            <LeaseTerms currency={opened.currency} lease={opened} />
          </EditPageForm>
        )}
      </Loaded>
    </Page>
  );
}
