import { patch } from '../../api/client.ts';
import type { Payment } from '../../api/records.ts';
import { saved } from '../../api/writes.ts';
import { formatDay, today } from '../../ui/date.tsx';
import { DateField, FieldRow, MoneyField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { formatMoney } from '../../ui/money.tsx';

type Reversal = 'returned' | 'refunded';
export const isReversal = (status: Payment['status'] | null): status is Reversal =>
  status === 'returned' || status === 'refunded';

const titles: Record<Reversal, string> = {
  returned: 'Mark this payment as returned?',
  refunded: 'Mark this payment as refunded?',
};

/** Takes a payment back from a day on: what it paid is owed again, possibly with a fee. */
export function ReverseDialog({
  payment,
  status,
  onClose,
}: {
  payment: Payment;
  status: Reversal;
  onClose: () => void;
}) {
  const { currency } = payment;
  return (
    <FormDialog
      title={titles[status]}
      description={`${formatMoney(payment.amount_cents, currency)}, paid on ${formatDay(payment.paid_on)}, counts until then. What it paid is owed again. The status cannot be changed afterwards.`}
      submit={`Mark as ${status}`}
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          status,
          reversed_on: values.text('reversed_on') || undefined,
          fee_cents: values.money('fee_cents', currency) ?? undefined,
        };
        return saved(patch(`/payments/${payment.id}`, body), `Payment marked as ${status}`);
      }}
    >
      <FieldRow>
        <DateField
          name="reversed_on"
          label={status === 'returned' ? 'Returned on' : 'Refunded on'}
          defaultValue={today()}
          autoFocus
        />
        {payment.lease_id && (
          <MoneyField
            name="fee_cents"
            label="Fee for the tenant"
            currency={currency}
            hint="Optional. Due on that day."
          />
        )}
      </FieldRow>
    </FormDialog>
  );
}
