import { FieldRow, SelectField, TextField } from '../../ui/forms/field.tsx';
import { optionsOf, paymentMethod } from '../../ui/words.ts';

/** How a payment was made, and for which month. */
export const MethodAndMonth = ({ method, month }: { method: string; month: string | null }) => (
  <FieldRow>
    <SelectField name="method" label="Method" options={optionsOf(paymentMethod)} defaultValue={method} />
    <TextField name="period" label="For the month" type="month" placeholder="YYYY-MM" defaultValue={month} />
  </FieldRow>
);
