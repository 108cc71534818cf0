import { ChevronRight, X } from 'lucide-react';
import { useState } from 'react';
import type { Lease } from '../../api/records.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatDay, today } from '../../ui/date.tsx';
import { ComboboxInput, type Option } from '../../ui/forms/combobox.tsx';
import { DateField, Field, FieldRow, MoneyField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { useMend } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { findTenants, PropertyPicker, UnitPicker } from '../../ui/forms/pickers.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { optionsOf, proration } from '../../ui/words.ts';
import { LateFeesField, readLateFees } from '../ledger/late-fee-fields.tsx';

/** Chooses a property, then one of its units. */
export function PlaceFields({ initial = null }: { initial?: Option | null }) {
  const [property, setProperty] = useState(initial);
  const [unit, setUnit] = useState<Option | null>(null);
  return (
    <FieldRow>
      <PropertyPicker
        selected={property}
        onSelect={(option) => {
          setProperty(option);
          setUnit(null);
        }}
      />
      <UnitPicker propertyId={property?.value ?? null} selected={unit} onSelect={setUnit} />
    </FieldRow>
  );
}

/** Chooses one or several tenants. */
export function TenantsField({ initial = [] }: { initial?: Option[] }) {
  const [chosen, setChosen] = useState<Option[]>(initial);
  const mend = useMend();
  const add = (option: Option | null) => {
    mend('tenant_ids');
    if (option && !chosen.some(({ value }) => value === option.value)) setChosen([...chosen, option]);
  };
  return (
    <Field name="tenant_ids" label="Tenants">
      {({ name, ...control }) => (
        <div className="flex flex-col gap-2">
          {chosen.map((option) => (
            <div
              key={option.value}
              className="flex items-center justify-between gap-2 rounded-md bg-side py-0.5 pr-0.5 pl-3 dark:bg-hover"
            >
              <input type="hidden" name={name} value={option.value} />
              <span className="min-w-0 truncate">{option.label}</span>
              <IconButton
                label={`Remove ${option.label}`}
                onClick={() => setChosen(chosen.filter(({ value }) => value !== option.value))}
              >
                <X />
              </IconButton>
            </div>
          ))}
          {chosen.length === 0 && <input type="hidden" name={name} value="" />}
          <ComboboxInput
            label="Tenants"
            control={control}
            placeholder={chosen.length === 0 ? 'Type a name' : 'Add another tenant'}
            nothing="No tenant found"
            find={findTenants}
            selected={null}
            onSelect={add}
          />
        </div>
      )}
    </Field>
  );
}

export const readTenantIds = (values: FormValues): string[] => values.all('tenant_ids').filter(Boolean);

/** The start, the end and the rent; folded away, how the ledger begins and what partial months and delays cost. */
export function LeaseTerms({ currency, lease }: { currency: string; lease?: Lease }) {
  return (
    <>
      <FieldRow>
        <DateField name="start_date" label="Start" required defaultValue={lease?.start_date ?? today()} />
        <DateField
          name="end_date"
          label="End"
          hint="The last day. Leave it empty for month to month."
          defaultValue={lease?.end_date}
        />
      </FieldRow>
      <FieldRow columns={3}>
        <MoneyField
          name="rent_cents"
          label="Monthly rent"
          required
          currency={currency}
          cents={lease?.rent_cents}
          hint={lease && <RentHint lease={lease} />}
        />
        <MoneyField name="deposit_cents" label="Deposit" currency={currency} cents={lease?.deposit_cents} />
        <TextField
          name="due_day"
          label="Rent due on day"
          inputMode="numeric"
          hint="1 to 28"
          defaultValue={lease?.due_day ?? 1}
        />
      </FieldRow>
      <details className="group" open={lease && !isPlain(lease)}>
        <summary className="flex w-fit items-center gap-1 rounded font-medium text-accent-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-4 group-open:rotate-90" />
          Partial months, opening balance, late fees
        </summary>
        <div className="mt-4 flex flex-col gap-4">
          <SelectField
            name="proration"
            label="Partial first and last month"
            options={optionsOf(proration)}
            defaultValue={lease?.proration ?? 'actual_days'}
          />
          <FieldRow>
            <DateField
              name="ledger_from"
              label="Ledger begins on"
              hint="Earlier charges and payments do not count. If left empty: the first of this month, or the start if that is later."
              defaultValue={lease?.ledger_from}
            />
            <MoneyField
              name="opening_balance_cents"
              label="Opening balance"
              hint="What was owed on that day. A negative amount is a credit."
              currency={currency}
              cents={lease?.opening_balance_cents || null}
            />
          </FieldRow>
          <LateFeesField
            lateFees={lease?.late_fees}
            above="property, or else the account"
            currency={currency}
          />
        </div>
      </details>
    </>
  );
}

const isPlain = ({ proration, opening_balance_cents, late_fees }: Lease) =>
  proration === 'actual_days' && opening_balance_cents === 0 && late_fees === 'inherit';

/** Changing the first rent changes the past. A raise is made by renewing. */
function RentHint({ lease: { rent_changes, currency } }: { lease: Lease }) {
  const changes = rent_changes.map(
    ({ from, rent_cents }) => `${formatMoney(rent_cents, currency)} from ${formatDay(from)}`,
  );
  return (
    <>
      Changes past months too. To raise the rent, renew the lease.
      {changes.length > 0 && ` Then ${changes.join(', ')}.`}
    </>
  );
}

export const readTerms = (values: FormValues, currency: string) => ({
  start_date: values.text('start_date') || undefined,
  end_date: values.optional('end_date'),
  rent_cents: values.money('rent_cents', currency) ?? undefined,
  deposit_cents: values.money('deposit_cents', currency),
  due_day: values.number('due_day') ?? undefined,
  proration: values.text('proration'),
  ledger_from: values.text('ledger_from') || undefined,
  opening_balance_cents: values.money('opening_balance_cents', currency) ?? 0,
  late_fees: readLateFees(values, currency),
});
