import type { Charge } from '../../api/records.ts';
import { formatDay } from '../../ui/date.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { chargeName } from './charge-words.ts';

const optionOf = (charge: Charge) => ({
  value: charge.id,
  label: `${chargeName(charge)} · due ${formatDay(charge.due_on)} · ${formatMoney(charge.open_cents, charge.currency)}`,
});

/** Which charge is paid first, if not the oldest. */
export const ChargeField = ({
  charges,
  chosen,
  onChange,
}: {
  charges: Charge[];
  /** Set if the parent keeps the choice; null means none in particular. */
  chosen?: string | null;
  onChange?: (id: string | null) => void;
}) => (
  <SelectField
    name="charge_id"
    label="Pays"
    none="Oldest first, deposit last"
    options={charges.map(optionOf)}
    {...(chosen === undefined ? {} : { value: chosen ?? '' })}
    onChange={(event) => onChange?.(event.target.value || null)}
  />
);
