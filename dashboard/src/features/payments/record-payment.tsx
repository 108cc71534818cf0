import { useEffect, useRef, useState } from 'react';
import { useRecord } from '../../api/queries.ts';
import type { Payment, Tenant } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { recall, remember } from '../../api/storage.ts';
import { create, saved } from '../../api/writes.ts';
import { today } from '../../ui/date.tsx';
import { moneyText } from '../../ui/forms/amounts.ts';
import type { Option } from '../../ui/forms/combobox.tsx';
import { DateField, FieldRow, MoneyField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { TenantPicker, tenantOption } from '../../ui/forms/pickers.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Problem } from '../../ui/states.tsx';
import { MethodAndMonth } from './payment-fields.tsx';

/** Part of a name, Enter, Enter; the lease fills in the rest. */
export function RecordPayment({ tenant, onClose }: { tenant?: Tenant; onClose: () => unknown }) {
  const accountCurrency = useCurrency();
  const [chosen, setChosen] = useState<Option | null>(tenant ? tenantOption(tenant) : null);
  // Never the previous tenant while this one loads: the amount and currency must be those of the chosen tenant.
  const { data: payer, error, refetch } = useRecord('tenants', chosen?.value);
  const isReady = chosen === null || payer !== undefined;
  const currency = isReady ? (payer?.lease?.currency ?? accountCurrency) : '…';
  // The amount is the lease's rent until somebody types one, which then stays whoever is chosen.
  const [typed, setTyped] = useState<string | null>(null);
  const amount = typed ?? moneyText(payer?.lease?.rent_cents, currency);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Does not take the focus from a field the person has moved on to.
    const at = document.activeElement;
    if (chosen && (at === document.body || at?.getAttribute('role') === 'combobox')) field.current?.focus();
  }, [chosen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the rent when it is filled in
  useEffect(() => {
    if (typed === null && document.activeElement === field.current) field.current?.select();
  }, [payer?.id]);
  return (
    <FormDialog
      title="Record payment"
      submit="Record payment"
      isReady={isReady}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = {
          tenant_id: chosen?.value,
          amount_cents: values.money('amount_cents', currency) ?? undefined,
          currency,
          paid_on: values.text('paid_on') || undefined,
          method: values.text('method'),
          status: values.text('status'),
          period: values.optional('period'),
          reference: values.text('reference'),
        };
        const payment = await create<Payment>('/payments', body);
        await saved(
          Promise.resolve(payment),
          `${formatMoney(payment.amount_cents, payment.currency)} from ${chosen?.label} recorded`,
        );
        remember('payment-method', body.method);
      }}
    >
      <TenantPicker
        selected={chosen}
        onSelect={(option) => {
          setChosen(option);
          if (typed === '') setTyped(null);
        }}
        autoFocus={!tenant}
      />
      {error && !payer && <Problem error={error} onRetry={refetch} />}
      <FieldRow>
        <MoneyField
          ref={field}
          name="amount_cents"
          label="Amount"
          required
          currency={currency}
          value={amount}
          autoFocus={!!tenant}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <DateField name="paid_on" label="Paid on" defaultValue={today()} />
      </FieldRow>
      <MethodAndMonth
        // Most people are paid in one way, so the last one is preselected.
        method={recall('payment-method') ?? 'bank_transfer'}
        month={today().slice(0, 7)}
      />
      <FieldRow>
        <SelectField
          name="status"
          label="Status"
          options={[
            { value: 'paid', label: 'Paid' },
            { value: 'pending', label: 'Pending' },
          ]}
        />
        <TextField name="reference" label="Reference" />
      </FieldRow>
    </FormDialog>
  );
}
