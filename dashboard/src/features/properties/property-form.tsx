import { useQuery } from '@tanstack/react-query';
import { one } from '../../api/queries.ts';
import type { Property } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { EditPageForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { FieldRow, SelectField, TextAreaField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { useLeave } from '../../ui/forms/leaving.tsx';
import { Page } from '../../ui/page.tsx';
import { usePathId } from '../../ui/records/record-page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { optionsOf, propertyType } from '../../ui/words.ts';
import { LateFeesField, readLateFees } from '../ledger/late-fee-fields.tsx';
import { countries } from './countries.ts';
import { aboutRows, readUnits, UnitRows } from './unit-rows.tsx';

export function NewPropertyPage() {
  const leaveTo = useLeave();
  const currency = useCurrency();
  return (
    <Page title="New property" back="/properties" width="form">
      <Form
        submit="Add property"
        isPage
        shows={['units']}
        onCancel={() => leaveTo('/properties')}
        onSubmit={async (values) => {
          const { units, rows } = readUnits(values, currency);
          const body = { ...readProperty(values, currency), units };
          const property = await saved(
            aboutRows(create<Property>('/properties', body), rows),
            'Property added',
          );
          await leaveTo(`/properties/${property.id}`);
        }}
      >
        <PropertyFields currency={currency} />
        <UnitRows currency={currency} />
      </Form>
    </Page>
  );
}

export function EditPropertyPage() {
  const id = usePathId();
  const currency = useCurrency();
  const query = useQuery(one('properties', id));
  const data = useAsOpened(query.data);
  const back = `/properties/${id}`;
  return (
    <Page title="Edit property" back={back} width="form">
      <Loaded query={{ ...query, data }}>
        {(property) => (
          <EditPageForm
            key={property.id}
            path={back}
            read={(values) => readProperty(values, currency)}
            message="Property saved"
          >
            <PropertyFields property={property} currency={currency} />
          </EditPageForm>
        )}
      </Loaded>
    </Page>
  );
}

function PropertyFields({ property, currency }: { property?: Property; currency: string }) {
  return (
    <>
      <FieldRow>
        <TextField
          name="name"
          label="Name"
          required
          autoFocus
          defaultValue={property?.name}
          placeholder="Maple Court"
        />
        <SelectField
          name="type"
          label="Type"
          options={optionsOf(propertyType)}
          defaultValue={property?.type ?? 'multi_family'}
        />
      </FieldRow>
      <FieldRow>
        <TextField name="address" label="Address" defaultValue={property?.address} />
        <TextField name="address_line2" label="Address, second line" defaultValue={property?.address_line2} />
      </FieldRow>
      <FieldRow>
        <TextField name="city" label="City" defaultValue={property?.city} />
        <TextField name="state" label="State or region" defaultValue={property?.state} />
      </FieldRow>
      <FieldRow columns={3}>
        <TextField name="postal_code" label="Postal code" defaultValue={property?.postal_code} />
        <SelectField
          name="country"
          label="Country"
          none="–"
          options={countries}
          defaultValue={property?.country}
        />
        <TextField
          name="year_built"
          label="Year built"
          inputMode="numeric"
          defaultValue={property?.year_built}
        />
      </FieldRow>
      {property && <LateFeesField lateFees={property.late_fees} above="account" currency={currency} />}
      <TextAreaField name="notes" label="Notes" defaultValue={property?.notes} />
    </>
  );
}

const readProperty = (values: FormValues, currency: string) => ({
  name: values.text('name'),
  type: values.text('type'),
  address: values.text('address'),
  address_line2: values.text('address_line2'),
  city: values.text('city'),
  state: values.text('state'),
  postal_code: values.text('postal_code'),
  country: values.optional('country'),
  year_built: values.number('year_built'),
  // A new property has the account's.
  late_fees: values.has('late_fees') ? readLateFees(values, currency) : undefined,
  notes: values.text('notes'),
});
