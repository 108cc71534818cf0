import { useState } from 'react';
import { errorFrom, type ServerMessage } from '../../api/client.ts';
import type { Payment } from '../../api/records.ts';
import { create, messageOf } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay, today } from '../../ui/date.tsx';
import { DateField, FieldRow, SelectField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { type Chosen, useBulk } from '../../ui/lists/bulk.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { count, optionsOf, paymentMethod } from '../../ui/words.ts';
import { findDuplicates, isFromField, Warning } from './duplicate.tsx';

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

const anyway = 'Record anyway';

/** The payments that somebody was asked about, and how often. */
interface Asked {
  about: string;
  found: [ToRecord, Payment][];
  times: number;
}
const nothingAsked: Asked = { about: '', found: [], times: 0 };

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
  const [asked, setAsked] = useState(nothingAsked);
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
  const open = () => {
    setAsked(nothingAsked);
    setOpen(true);
  };
  return (
    <>
      <Button kind="main" disabled={payments.length === 0} isBusy={bulk.isBusy} onClick={open}>
        {bulk.isBusy ? 'Recording…' : 'Record payments'}
      </Button>
      {isOpen && (
        <FormDialog
          title={`Record ${count(payments.length, 'payment')}`}
          description={`${sums.join(' and ')} in all: ${what} for each.`}
          submit={asked.times > 0 ? anyway : `Record ${count(payments.length, 'payment')}`}
          onClose={() => setOpen(false)}
          onSubmit={async (values) => {
            const paid_on = values.text('paid_on') || undefined;
            const isTyping = isFromField();
            const found = await findDuplicates(payments, paid_on ?? today());
            const about = found.map(([, { id }]) => id).join();
            if (about !== '' && (about !== asked.about || isTyping)) {
              setAsked({ about, found, times: asked.times + 1 });
              return false;
            }
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
            return bulk.runTogether(payments, record, 'paid');
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
          {asked.times > 0 && (
            <Warning asks={asked.times}>
              <p className="font-medium">
                {asked.found.length === 1 ? 'Is this the same payment?' : 'Are these the same payments?'}
              </p>
              <p className="text-soft">Already recorded:</p>
              <ul aria-label="Already recorded" className="max-h-40 overflow-y-auto text-soft">
                {asked.found.map(([{ key, name }, { amount_cents, currency, paid_on, method }]) => (
                  <li key={key} className="wrap-anywhere">
                    {name}: {formatMoney(amount_cents, currency)}, paid on {formatDay(paid_on)},{' '}
                    {paymentMethod[method].toLowerCase()}
                  </li>
                ))}
              </ul>
              <p className="mt-1">
                If {asked.found.length === 1 ? 'this is another payment' : 'these are other payments'}, choose
                “{anyway}”.
              </p>
            </Warning>
          )}
        </FormDialog>
      )}
    </>
  );
}
