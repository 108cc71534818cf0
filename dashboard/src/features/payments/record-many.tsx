import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorFrom, type ServerMessage } from '../../api/client.ts';
import { whole } from '../../api/queries.ts';
import type { Charge, Payment } from '../../api/records.ts';
import { create, messageOf } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { today } from '../../ui/date.tsx';
import { DateField, FieldRow, SelectField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { type Chosen, useBulk } from '../../ui/lists/bulk.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Problem } from '../../ui/states.tsx';
import { count, optionsOf, paymentMethod } from '../../ui/words.ts';
import { AlreadyThere, findDuplicates, isFromField, Warning } from './duplicate.tsx';
import { paidByThis, unnamedDeposits, withDepositsApart } from './paid-by-this.ts';

/** A payment that can be recorded for a chosen row. */
export interface ToRecord {
  key: string;
  name: string;
  tenantId: string;
  leaseId: string;
  amountCents: number;
  currency: string;
}

/** One of the payments that are recorded for a row. */
interface Part {
  row: ToRecord;
  amount_cents: number;
  /** The deposit that it names. */
  charge_id?: string | undefined;
}

/** Money for a deposit is a payment of its own, because money that names nothing pays later rent before the deposit. */
function inParts(row: ToRecord, deposits: Charge[]): Part[] {
  const open = deposits.filter(({ lease_id }) => lease_id === row.leaseId);
  const { shares } = paidByThis(open, row.amountCents, null, today());
  return withDepositsApart({ row, amount_cents: row.amountCents }, unnamedDeposits(shares, null));
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

const nameOf = ({ row: { name }, charge_id }: Part): string => (charge_id ? `${name}: deposit` : name);

const depositsApart =
  'Deposits are payments of their own, so that rent that falls due later does not use them.';

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
  isAllOwed = false,
}: {
  chosen: Chosen<Row>;
  /** Empty if there is nothing to pay, or nobody to pay it. */
  toRecord: (row: Row) => ToRecord[];
  what: string;
  /** Whether all that a lease owes is paid, so that its deposit is, too. */
  isAllOwed?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState(nothingAsked);
  const rows = chosen.rows.flatMap(toRecord);
  const deposits = useQuery({
    ...whole('charges', { kind: 'deposit', status: 'open,partial', to: today() }),
    staleTime: 0,
    enabled: isOpen && isAllOwed,
  });
  const isReady = !isAllOwed || (deposits.isSuccess && !deposits.isFetching);
  const payments = rows.flatMap((row) => inParts(row, (isAllOwed && deposits.data) || []));
  const hasDeposits = payments.some(({ charge_id }) => charge_id !== undefined);
  const bulk = useBulk<Part>({ ...chosen, keyOf: ({ row }) => row.key }, nameOf);
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  const sums = currencies.map((wanted) => {
    const own = rows.filter(({ currency }) => currency === wanted);
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
      <Button kind="main" disabled={rows.length === 0} isBusy={bulk.isBusy} onClick={open}>
        {bulk.isBusy ? 'Recording…' : 'Record payments'}
      </Button>
      {isOpen && (
        <FormDialog
          title={`Record ${count(payments.length, 'payment')}`}
          description={`${sums.join(' and ')} in all: ${what} for each.${hasDeposits ? ` ${depositsApart}` : ''}`}
          submit={asked.times > 0 ? anyway : `Record ${count(payments.length, 'payment')}`}
          isReady={isReady}
          onClose={() => setOpen(false)}
          onSubmit={async (values) => {
            const paid_on = values.text('paid_on') || undefined;
            const isTyping = isFromField();
            const wanted = rows.map((row) => {
              const own = payments.filter((payment) => payment.row === row);
              return { ...row, amounts: [row.amountCents, ...own.map(({ amount_cents }) => amount_cents)] };
            });
            const found = await findDuplicates(wanted, paid_on ?? today());
            const about = found.map(([, { id }]) => id).join();
            if (about !== '' && (about !== asked.about || isTyping)) {
              setAsked({ about, found, times: asked.times + 1 });
              return false;
            }
            const method = values.text('method');
            const record = (some: Part[]) =>
              recordAll(
                some.map(({ row: { tenantId, leaseId, currency }, amount_cents, charge_id }) => ({
                  tenant_id: tenantId,
                  lease_id: leaseId,
                  charge_id,
                  amount_cents,
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
            {payments.map((payment) => (
              <li
                key={`${payment.row.key} ${payment.charge_id}`}
                className="flex justify-between gap-4 py-1.5"
              >
                <span className="min-w-0 wrap-anywhere">{nameOf(payment)}</span>
                <span className="figures shrink-0">
                  {formatMoney(payment.amount_cents, payment.row.currency)}
                </span>
              </li>
            ))}
          </ul>
          {deposits.error && <Problem error={deposits.error} onRetry={deposits.refetch} />}
          {asked.times > 0 && (
            <Warning asks={asked.times}>
              <p className="font-medium">
                {asked.found.length === 1 ? 'Is this the same payment?' : 'Are these the same payments?'}
              </p>
              <p className="text-soft">Already recorded:</p>
              <ul aria-label="Already recorded" className="max-h-40 overflow-y-auto text-soft">
                {asked.found.map(([{ key, name }, other]) => (
                  <li key={key} className="wrap-anywhere">
                    {name}: {formatMoney(other.amount_cents, other.currency)},{' '}
                    <AlreadyThere payment={other} />, {paymentMethod[other.method].toLowerCase()}
                  </li>
                ))}
              </ul>
              {asked.found.some(([, { status }]) => status === 'pending') && (
                <p className="mt-1">If a pending payment has arrived, mark that one as paid instead.</p>
              )}
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
