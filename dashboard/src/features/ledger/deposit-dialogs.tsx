import type { Ledger } from '../../api/records.ts';
import { create, saved } from '../../api/writes.ts';
import { today } from '../../ui/date.tsx';
import { DateField, FieldRow, MoneyField, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { formatMoney } from '../../ui/money.tsx';

interface Props {
  ledger: Ledger;
  onClose: () => void;
}

/** Refunds deposit money. What is owed stays owed. */
export function RefundDialog({ ledger, onClose }: Props) {
  const { lease, currency, deposit_held_cents } = ledger;
  return (
    <FormDialog
      title="Refund the deposit"
      description={`${formatMoney(deposit_held_cents, currency)} is held. ${stillOwed(ledger)}`}
      submit="Record refund"
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          amount_cents: values.money('amount_cents', currency) ?? undefined,
          refunded_on: values.text('refunded_on') || undefined,
          memo: values.text('memo'),
        };
        return saved(create(`/leases/${lease.id}/deposit-refunds`, body), 'Refund recorded');
      }}
    >
      <FieldRow>
        <MoneyField
          name="amount_cents"
          label="Amount"
          required
          currency={currency}
          cents={deposit_held_cents}
          autoFocus
        />
        <DateField name="refunded_on" label="Refunded on" defaultValue={today()} />
      </FieldRow>
      <TextField name="memo" label="Memo" />
    </FormDialog>
  );
}

const stillOwed = ({ open_cents, currency }: Ledger) =>
  open_cents > 0
    ? `${formatMoney(open_cents, currency)} is owed: a refund does not change that.`
    : 'Nothing is owed.';

/** Pays what is owed with deposit money. */
export function ApplyDepositDialog({ ledger, onClose }: Props) {
  const { lease, currency, deposit_held_cents, open_cents } = ledger;
  return (
    <FormDialog
      title="Apply the deposit"
      description={`${formatMoney(deposit_held_cents, currency)} is held, ${formatMoney(open_cents, currency)} is owed. The oldest debt is paid first, an open deposit last.`}
      submit="Apply deposit"
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          lease_id: lease.id,
          reason: 'deposit',
          amount_cents: values.money('amount_cents', currency) ?? undefined,
          credited_on: values.text('credited_on') || undefined,
          memo: values.text('memo'),
        };
        return saved(create('/credits', body), 'Deposit applied');
      }}
    >
      <FieldRow>
        <MoneyField
          name="amount_cents"
          label="Amount"
          required
          currency={currency}
          cents={Math.min(deposit_held_cents, open_cents)}
          autoFocus
        />
        <DateField name="credited_on" label="Counts from" defaultValue={today()} />
      </FieldRow>
      <TextField name="memo" label="Memo" />
    </FormDialog>
  );
}
