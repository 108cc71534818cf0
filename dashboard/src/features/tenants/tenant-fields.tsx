import type { Tenant } from '../../api/records.ts';
import { FieldRow, TextAreaField, TextField } from '../../ui/forms/field.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';

export function TenantFields({ tenant, onEmail }: { tenant?: Tenant; onEmail: () => void }) {
  return (
    <>
      <FieldRow>
        <TextField
          name="first_name"
          label="First name"
          required
          autoFocus
          defaultValue={tenant?.first_name}
        />
        <TextField name="last_name" label="Last name" required defaultValue={tenant?.last_name} />
      </FieldRow>
      <FieldRow>
        <TextField
          name="email"
          label="Email"
          type="email"
          defaultValue={tenant?.email}
          onChange={() => onEmail()}
        />
        <TextField name="phone" label="Phone" type="tel" defaultValue={tenant?.phone} />
      </FieldRow>
      <TextAreaField name="notes" label="Notes" rows={2} defaultValue={tenant?.notes} />
    </>
  );
}

export const readTenant = (values: FormValues) => ({
  first_name: values.text('first_name'),
  last_name: values.text('last_name'),
  email: values.text('email'),
  phone: values.text('phone'),
  notes: values.text('notes'),
});
