import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Lease } from '../../api/records.ts';
import { create, post, saved } from '../../api/writes.ts';
import { formatDay, today } from '../../ui/date.tsx';
import { DateField, FieldRow, MoneyField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { chargeKind, creditReason, optionsOf } from '../../ui/words.ts';
import { ChargeField } from './charge-field.tsx';
import { beforeLedger } from './charge-words.ts';
import { openChargesOf } from './ledger-queries.ts';

interface Props {
  lease: Lease;
  onClose: () => void;
}

/** Today, or the first day that counts. */
const firstDay = ({ ledger_from }: Lease): string => (ledger_from > today() ? ledger_from : today());

/** Charges a lease for something that it does not charge by itself. */
export function ChargeDialog({ lease, onClose }: Props) {
  const [kind, setKind] = useState('utility');
  const [dueOn, setDueOn] = useState(firstDay(lease));
  return (
    <FormDialog
      title="Add a charge"
      description="Rent, the deposit and recurring charges are added automatically. Use this for anything else."
      submit="Add charge"
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          lease_id: lease.id,
          kind,
          amount_cents: values.money('amount_cents', lease.currency) ?? undefined,
          due_on: values.text('due_on') || undefined,
          period: values.optional('period'),
          memo: values.text('memo'),
        };
        return saved(create('/charges', body), 'Charge added');
      }}
    >
      <FieldRow>
        <SelectField
          name="kind"
          label="For"
          value={kind}
          options={optionsOf(chargeKind)}
          onChange={(event) => setKind(event.target.value)}
        />
        <MoneyField name="amount_cents" label="Amount" required currency={lease.currency} autoFocus />
      </FieldRow>
      <FieldRow>
        <DateField
          name="due_on"
          label="Due on"
          value={dueOn}
          onChange={(event) => setDueOn(event.target.value)}
        />
        {kind === 'rent' && (
          <TextField name="period" label="For the month" type="month" placeholder="YYYY-MM" />
        )}
      </FieldRow>
      <NotCounted day={dueOn} lease={lease} />
      <TextField name="memo" label="Memo" hint="The tenant sees this on the statement." />
    </FormDialog>
  );
}

/** Warns of a day on which the ledger had not begun. */
const NotCounted = ({ day, lease: { ledger_from } }: { day: string; lease: Lease }) =>
  day !== '' &&
  day < ledger_from && (
    <p role="alert" className="rounded-md border border-warn px-3 py-2.5">
      {formatDay(day)} is {beforeLedger(ledger_from)}: it changes nothing and is shown as not counted.
    </p>
  );

const reasons = optionsOf(creditReason).filter(({ value }) => value !== 'deposit');

/** Takes something off what a lease owes, even though nobody paid it. */
export function CreditDialog({ lease, onClose }: Props) {
  const charges = useQuery(openChargesOf(lease.id)).data ?? [];
  const [creditedOn, setCreditedOn] = useState(firstDay(lease));
  return (
    <FormDialog
      title="Add a credit"
      description="Reduces what is owed without a payment."
      submit="Add credit"
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          lease_id: lease.id,
          reason: values.text('reason'),
          amount_cents: values.money('amount_cents', lease.currency) ?? undefined,
          credited_on: values.text('credited_on') || undefined,
          charge_id: values.optional('charge_id'),
          memo: values.text('memo'),
        };
        return saved(create('/credits', body), 'Credit added');
      }}
    >
      <FieldRow>
        <SelectField name="reason" label="Reason" options={reasons} />
        <MoneyField name="amount_cents" label="Amount" required currency={lease.currency} autoFocus />
      </FieldRow>
      <DateField
        name="credited_on"
        label="Counts from"
        hint={
          creditedOn > today()
            ? `Counts from ${formatDay(creditedOn)}. Until then it is shown as upcoming.`
            : undefined
        }
        value={creditedOn}
        onChange={(event) => setCreditedOn(event.target.value)}
      />
      <NotCounted day={creditedOn} lease={lease} />
      {charges.length > 0 && <ChargeField charges={charges} />}
      <TextField name="memo" label="Memo" hint="The tenant sees this on the statement." />
    </FormDialog>
  );
}

/** A charge, a credit or a refund of the deposit that was made by mistake. */
export interface Mistake {
  type: 'charge' | 'credit' | 'deposit_refund';
  id: string;
  /** In words: "Late fee of $50.00". */
  name: string;
  /** How much of a charge is paid, in words; null if nothing is. */
  paid: string | null;
}

const wordOf = { charge: 'charge', credit: 'credit', deposit_refund: 'refund' };

/** It stays visible, with the reason. */
export function VoidDialog({ of, onClose }: { of: Mistake; onClose: () => void }) {
  const { type, id, name, paid } = of;
  const word = wordOf[type];
  return (
    <FormDialog
      title={`Void this ${word}?`}
      description={
        <>
          <p>
            {name} will no longer count, on any day. It stays visible with the reason. This cannot be undone.
          </p>
          {paid && (
            <p className="mt-2">
              {paid} of it is paid: that money pays what else is owed, or becomes credit.
            </p>
          )}
        </>
      }
      submit={`Void ${word}`}
      onClose={onClose}
      onSubmit={(values) =>
        saved(
          post(`/${type.replace('_', '-')}s/${id}/void`, { reason: values.text('reason') }),
          `${word.charAt(0).toUpperCase()}${word.slice(1)} voided`,
        )
      }
    >
      <TextField name="reason" label="Reason" required autoFocus placeholder="Charged by mistake" />
    </FormDialog>
  );
}
