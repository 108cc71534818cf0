import type { Unit } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { Check } from '../../ui/forms/check.tsx';
import { EditForm } from '../../ui/forms/edit-form.tsx';
import { FieldRow, MoneyField, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { DeleteButton } from '../../ui/records/delete-record.tsx';
import { Timeline } from '../history/timeline.tsx';

export function UnitDialog({
  propertyId,
  unit,
  onClose,
}: {
  propertyId: string;
  unit: Unit | null;
  onClose: () => void;
}) {
  const currency = useCurrency();
  const read = (values: FormValues) => ({
    name: values.text('name'),
    bedrooms: values.number('bedrooms'),
    bathrooms: values.number('bathrooms'),
    area_sqft: values.number('area_sqft'),
    market_rent_cents: values.money('market_rent_cents', currency),
    offline: values.has('offline'),
  });
  if (unit) {
    return (
      <Dialog title={`Unit ${unit.name}`} onClose={onClose}>
        <EditForm path={`/units/${unit.id}`} read={read} message="Unit saved" onClose={onClose}>
          <UnitFields unit={unit} currency={currency} />
        </EditForm>
        <div className="mt-6">
          <DeleteButton path={`/units/${unit.id}`} noun="unit" name={`unit ${unit.name}`} leave={onClose} />
        </div>
        <div className="mt-6">
          <Timeline path={`/units/${unit.id}`} currency={currency} />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="New unit"
      submit="Add unit"
      onClose={onClose}
      onSubmit={(values) =>
        saved(create('/units', { ...read(values), property_id: propertyId }), 'Unit added')
      }
    >
      <UnitFields currency={currency} />
    </FormDialog>
  );
}

function UnitFields({ unit, currency }: { unit?: Unit; currency: string }) {
  return (
    <>
      <FieldRow>
        <TextField name="name" label="Name" required autoFocus defaultValue={unit?.name} placeholder="2B" />
        <MoneyField
          name="market_rent_cents"
          label="Asking rent"
          currency={currency}
          cents={unit?.market_rent_cents}
        />
      </FieldRow>
      <FieldRow columns={3}>
        <TextField name="bedrooms" label="Bedrooms" inputMode="numeric" defaultValue={unit?.bedrooms} />
        <TextField name="bathrooms" label="Bathrooms" inputMode="decimal" defaultValue={unit?.bathrooms} />
        <TextField name="area_sqft" label="Area (sq ft)" inputMode="numeric" defaultValue={unit?.area_sqft} />
      </FieldRow>
      <Check
        name="offline"
        label="Offline"
        about="Not for rent at the moment, for example during a renovation"
        isOn={unit?.offline}
      />
    </>
  );
}
