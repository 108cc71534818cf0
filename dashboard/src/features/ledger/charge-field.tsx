import type { Charge } from '../../api/records.ts';
import { formatDay } from '../../ui/date.tsx';
import { SelectField } from '../../ui/forms/field.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { chargeNameAmong } from './charge-words.ts';

const optionOf = (charge: Charge, charges: Charge[]) => ({
  value: charge.id,
  label: `${chargeNameAmong(charges, charge)} · due ${formatDay(charge.due_on)} · ${formatMoney(charge.open_cents, charge.currency)}`,
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
    options={charges.map((charge) => optionOf(charge, charges))}
    {...(chosen === undefined ? {} : { value: chosen ?? '' })}
    onChange={(event) => onChange?.(event.target.value || null)}
  />
);
