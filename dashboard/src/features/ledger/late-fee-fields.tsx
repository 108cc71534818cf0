import { useState } from 'react';
import type { LateFees } from '../../api/records.ts';
import { FieldRow, MoneyField, SelectField, TextField } from '../../ui/forms/field.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import type { Fee, Policy } from './late-fee-words.ts';

const choices = (above: string) => [
  { value: 'inherit', label: `Same as the ${above}` },
  { value: 'none', label: 'None' },
  { value: 'own', label: 'Its own policy' },
];

/** Whether late fees follow the level above, are not charged, or follow a policy of their own. */
export function LateFeesField({
  lateFees = 'inherit',
  above,
  currency,
}: {
  lateFees?: LateFees | undefined;
  above: string;
  currency: string;
}) {
  const policy = typeof lateFees === 'string' ? null : lateFees;
  const [choice, setChoice] = useState(typeof lateFees === 'string' ? lateFees : 'own');
  return (
    <>
      <SelectField
        name="late_fees"
        label="Late fees"
        options={choices(above)}
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
      />
      {choice === 'own' && <PolicyFields policy={policy} currency={currency} />}
    </>
  );
}

export function readLateFees(values: FormValues, currency: string) {
  const choice = values.text('late_fees');
  return choice === 'own' ? readPolicy(values, currency) : choice;
}

const kinds = (currency: string) => [
  { value: 'fixed_cents', label: `Amount in ${currency}` },
  { value: 'percent_of_rent', label: '% of the rent' },
  { value: 'percent_of_open', label: '% of the unpaid amount' },
];

/** The fields of a late-fee policy. */
export function PolicyFields({ policy, currency }: { policy: Policy | null; currency: string }) {
  return (
    <>
      <FieldRow columns={3}>
        <TextField
          name="grace_days"
          label="Grace period in days"
          inputMode="numeric"
          hint="No fee is charged until they have passed."
          defaultValue={policy?.grace_days ?? 5}
        />
        <FeeFields name="first" label="First fee" fee={policy?.first ?? null} currency={currency} />
      </FieldRow>
      <FieldRow columns={3}>
        <MoneyField
          name="cap_cents"
          label="Maximum fee"
          currency={currency}
          cents={policy?.cap_cents}
          hint="For each month's rent. Optional."
        />
        <FeeFields
          name="daily"
          label="Then per day"
          none="Nothing more"
          fee={policy?.daily ?? null}
          currency={currency}
        />
      </FieldRow>
      <MoneyField
        name="min_open_cents"
        label="Only if at least this much is unpaid"
        currency={currency}
        cents={policy?.min_open_cents || null}
      />
    </>
  );
}

function FeeFields({
  name,
  label,
  none,
  fee,
  currency,
}: {
  name: string;
  label: string;
  none?: string;
  fee: Fee | null;
  currency: string;
}) {
  const [kind, setKind] = useState(fee ? kindOf(fee) : none === undefined ? 'fixed_cents' : '');
  return (
    <>
      <SelectField
        name={`${name}_kind`}
        label={label}
        options={kinds(currency)}
        {...(none === undefined ? {} : { none })}
        value={kind}
        onChange={(event) => setKind(event.target.value)}
      />
      {kind === 'fixed_cents' && (
        <MoneyField
          name={`${name}_value`}
          label={`${label}: amount`}
          currency={currency}
          required
          cents={fee && 'fixed_cents' in fee ? fee.fixed_cents : null}
        />
      )}
      {kind.startsWith('percent') && (
        <TextField
          name={`${name}_value`}
          label={`${label}: per cent`}
          inputMode="decimal"
          required
          defaultValue={fee && kindOf(fee) === kind ? Object.values(fee)[0] : null}
        />
      )}
    </>
  );
}

const kindOf = (fee: Fee): string => Object.keys(fee)[0] ?? '';

export const readPolicy = (values: FormValues, currency: string) => ({
  grace_days: values.number('grace_days'),
  first: readFee(values, 'first', currency),
  daily: readFee(values, 'daily', currency),
  cap_cents: values.money('cap_cents', currency),
  min_open_cents: values.money('min_open_cents', currency) ?? 0,
});

function readFee(values: FormValues, name: string, currency: string) {
  const kind = values.text(`${name}_kind`);
  if (kind === '') return null;
  const value =
    kind === 'fixed_cents' ? values.money(`${name}_value`, currency) : values.percent(`${name}_value`);
  return { [kind]: value };
}
