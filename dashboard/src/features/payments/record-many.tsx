import { useState } from 'react';
import { errorFrom, type ServerMessage } from '../../api/client.ts';
import { create, messageOf } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { today } from '../../ui/date.tsx';
import { DateField, FieldRow, SelectField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { type Chosen, useBulk } from '../../ui/lists/bulk.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { count, optionsOf, paymentMethod } from '../../ui/words.ts';

/** A payment that can be recorded for a chosen row. */
export interface ToRecord {
  key: string;
  name: string;
  tenantId: string;
  leaseId: string;
  amountCents: number;
  currency: string;
}

interface Result {
  status: number;
  error?: { message: ServerMessage; request_id: string };
}

/** For each payment, what was wrong with it, or null. */
async function recordAll(items: object[]): Promise<(string | null)[]> {
  const { results } = await create<{ results: Result[] }>('/payments/batch', { items });
  return results.map(({ status, error }) =>
    error ? messageOf(errorFrom(status, error.message, error.request_id)) : null,
  );
}

/** Records a payment for each of many rows. Rows that are refused stay chosen, with the reason. */
export function RecordMany<Row>({
  chosen,
  toRecord,
  what,
}: {
  chosen: Chosen<Row>;
  /** Empty if there is nothing to pay, or nobody to pay it. */
  toRecord: (row: Row) => ToRecord[];
  what: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const payments = chosen.rows.flatMap(toRecord);
  const bulk = useBulk<ToRecord>({ ...chosen, keyOf: ({ key }) => key }, ({ name }) => name);
  const currencies = [...new Set(payments.map(({ currency }) => currency))].sort();
  const sums = currencies.map((wanted) => {
    const own = payments.filter(({ currency }) => currency === wanted);
    return formatMoney(
      own.reduce((sum, { amountCents }) => sum + amountCents, 0),
      wanted,
    );
  });
  return (
    <>
      <Button kind="main" disabled={payments.length === 0} isBusy={bulk.isBusy} onClick={() => setOpen(true)}>
        {bulk.isBusy ? 'Recording…' : 'Record payments'}
      </Button>
      {isOpen && (
        <FormDialog
          title={`Record ${count(payments.length, 'payment')}`}
          description={`${sums.join(' and ')} in all: ${what} for each.`}
          submit={`Record ${count(payments.length, 'payment')}`}
          onClose={() => setOpen(false)}
          onSubmit={async (values) => {
            const paid_on = values.text('paid_on') || undefined;
            const method = values.text('method');
            const record = (some: ToRecord[]) =>
              recordAll(
                some.map(({ tenantId, leaseId, amountCents, currency }) => ({
                  tenant_id: tenantId,
                  lease_id: leaseId,
                  amount_cents: amountCents,
                  currency,
                  paid_on,
                  method,
                })),
              );
            await bulk.runTogether(payments, record, 'paid');
          }}
        >
          <FieldRow>
            <DateField name="paid_on" label="Paid on" defaultValue={today()} autoFocus />
            <SelectField
              name="method"
              label="Method"
              options={optionsOf(paymentMethod)}
              defaultValue="bank_transfer"
            />
          </FieldRow>
          <ul className="max-h-60 divide-y divide-line overflow-y-auto border-y border-line">
            {payments.map(({ key, name, amountCents, currency }) => (
              <li key={key} className="flex justify-between gap-4 py-1.5">
                <span className="min-w-0 wrap-anywhere">{name}</span>
                <span className="figures shrink-0">{formatMoney(amountCents, currency)}</span>
              </li>
            ))}
          </ul>
        </FormDialog>
      )}
    </>
  );
}
