import { useState } from 'react';
import type { Tenant } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { Check } from '../../ui/forms/check.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { useLeave } from '../../ui/forms/leaving.tsx';
import { Page } from '../../ui/page.tsx';
import { LeaseTerms, PlaceFields, readTerms } from '../leases/lease-fields.tsx';
import { SameEmailNote, useSameEmail } from './same-email.tsx';
import { readTenant, TenantFields } from './tenant-fields.tsx';

/** Adds a tenant, with their lease in the same form: both, or neither. */
export function NewTenantPage() {
  const leaveTo = useLeave();
  const currency = useCurrency();
  const [withLease, setWithLease] = useState(true);
  const sameEmail = useSameEmail();
  const bodyOf = (values: FormValues) => ({
    ...readTenant(values),
    ...(withLease && {
      lease: { unit_id: values.text('unit_id') || undefined, ...readTerms(values, currency) },
    }),
  });
  return (
    <Page title="New tenant" back="/tenants" width="form">
      <Form
        submit={sameEmail.other ? 'Add anyway' : 'Add tenant'}
        isPage
        onCancel={() => leaveTo('/tenants')}
        onSubmit={async (values) => {
          if (await sameEmail.mustAsk(values.text('email'))) return false;
          const tenant = await saved(
            create<Tenant>('/tenants', bodyOf(values)),
            withLease ? 'Tenant and lease added' : 'Tenant added',
          );
          return leaveTo(`/tenants/${tenant.id}`);
        }}
      >
        <TenantFields onEmail={sameEmail.forget} />
        {sameEmail.other && <SameEmailNote of={sameEmail.other} action="Add anyway" />}
        <div className="mt-2 flex flex-col gap-4 border-t border-line pt-5">
          <Check
            name="with_lease"
            label="Add their lease too"
            about="Clear this if they have not signed yet, or if they join an existing lease."
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
