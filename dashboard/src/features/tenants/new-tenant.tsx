import { useRef, useState } from 'react';
import { ApiError, patch } from '../../api/client.ts';
import type { Lease, Tenant } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { Check } from '../../ui/forms/check.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { useLeave } from '../../ui/forms/leaving.tsx';
import { Page } from '../../ui/page.tsx';
import { LeaseTerms, PlaceFields, readTerms } from '../leases/lease-fields.tsx';
import { readTenant, TenantFields } from './tenant-fields.tsx';

/** Adds a tenant, with their lease in the same form. */
export function NewTenantPage() {
  const leaveTo = useLeave();
  const currency = useCurrency();
  const [withLease, setWithLease] = useState(true);
  // These are two requests: if the lease is refused, the tenant exists already and must not be added again.
  const added = useRef<Tenant | null>(null);

  const save = async (values: FormValues) => {
    const body = readTenant(values);
    added.current = added.current
      ? await patch<Tenant>(`/tenants/${added.current.id}`, body)
      : await create<Tenant>('/tenants', body);
    const tenant = added.current;
    if (!withLease) return tenant;
    try {
      await create<Lease>('/leases', {
        unit_id: values.text('unit_id') || undefined,
        tenant_ids: [tenant.id],
        ...readTerms(values, currency),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const message = `${tenant.first_name} was added, but the lease was not. ${error.message || 'See the fields above.'}`;
      throw new ApiError(error.status, message, error.fieldErrors);
    }
    return tenant;
  };

  return (
    <Page title="New tenant" back="/tenants" width="form">
      <Form
        submit="Add tenant"
        isPage
        onCancel={() => leaveTo(added.current ? `/tenants/${added.current.id}` : '/tenants')}
        onSubmit={async (values) => {
          const tenant = await saved(save(values), withLease ? 'Tenant and lease added' : 'Tenant added');
          await leaveTo(`/tenants/${tenant.id}`);
        }}
      >
        <TenantFields />
        <div className="mt-2 flex flex-col gap-4 border-t border-line pt-5">
          <Check
            name="with_lease"
            label="Add their lease too"
            about="Clear this if they have not signed yet, or if they join an existing lease"
            isOn
            onChange={setWithLease}
          />
          {withLease && (
            <>
              <PlaceFields />
              <LeaseTerms currency={currency} />
            </>
          )}
        </div>
      </Form>
    </Page>
  );
}
