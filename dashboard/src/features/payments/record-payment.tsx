import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRecord } from '../../api/queries.ts';
import type { Balance, Charge, Tenant } from '../../api/records.ts';
import { useCurrency } from '../../api/session.ts';
import { recall, remember } from '../../api/storage.ts';
import { create, createTogether, messageOf, saved } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { today } from '../../ui/date.tsx';
import { moneyText, readMoney } from '../../ui/forms/amounts.ts';
import type { Option } from '../../ui/forms/combobox.tsx';
import { DateField, FieldRow, MoneyField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TenantPicker } from '../../ui/forms/pickers.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { optionsOf, paymentMethod } from '../../ui/words.ts';
import { ChargeField } from '../ledger/charge-field.tsx';
import { leaseOption } from '../ledger/lease-option.ts';
import { balancesOf, openChargesOf, paidLateFeesAfter } from '../ledger/ledger-queries.ts';
import { DepositApart } from './deposit-apart.tsx';
import { DuplicateNote, isFromField, useDuplicate } from './duplicate.tsx';
import { unnamedDeposits, withDepositsApart } from './paid-by-this.ts';
import { effectOf, PaymentOutcome } from './payment-outcome.tsx';
import { PaymentPreview } from './payment-preview.tsx';

interface Props {
  /** Who paid, if already known. */
  payer?: Option;
  /** The lease that is paid, if the payer has several. */
  leaseId?: string;
  onClose: () => unknown;
}

const anyway = 'Record anyway';

/** Part of a name, Enter, Enter: what is owed fills in the rest. */
export function RecordPayment({ payer: initial, leaseId, onClose }: Props) {
  const accountCurrency = useCurrency();
  const [chosen, setChosen] = useState<Option | null>(initial ?? null);
  const [wanted, setWanted] = useState(leaseId ?? null);
  // Not the previous tenant's while this one loads: the amount and the currency must be the chosen tenant's.
  const payer = useRecord('tenants', chosen?.value);
  const balances = useQuery({ ...balancesOf(chosen?.value), staleTime: 0 });
  const balance = leaseOf(balances.data, wanted ?? payer.data?.lease?.id);
  const charges = useQuery({ ...openChargesOf(balance?.lease_id), staleTime: 0 });
  const lease = useRecord('leases', balance?.lease_id);
  const unknown = [balances, charges].find(({ data, error }) => error && !data);
  const isReady =
    chosen === null ||
    // What is owed is requested again. Without an answer, a payment can still be recorded.
    (payer.data !== undefined && balances.isFetchedAfterMount && (!balance || charges.isFetchedAfterMount));
  const currency = isReady ? (balance?.currency ?? payer.data?.lease?.currency ?? accountCurrency) : '…';
  // The amount is what is owed, or else the rent of a lease that goes on, until somebody types one. A typed amount stays, whoever is chosen.
  const [typed, setTyped] = useState<string | null>(null);
  const [named, setNamed] = useState<string | null>();
  // Not one that somebody has voided or paid meanwhile.
  const namedCharge = charges.data?.find(({ id }) => id === named);
  const charge = named === undefined ? onlyDeposit(balance, charges.data) : (namedCharge?.id ?? null);
  const open = namedCharge?.open_cents;
  const suggested = isReady ? (open ?? (balance?.owed_cents || rentOf(balance, payer.data))) : null;
  const amount = typed ?? moneyText(suggested, currency);
  const [paidOn, setPaidOn] = useState(today());
  const { data: paidFeesCents = 0 } = useQuery(paidLateFeesAfter(balance?.lease_id, paidOn));
  const [status, setStatus] = useState('paid');
  const cents = isReady ? centsOf(amount, currency) : 0;
  const [isApart, setApart] = useState(true);
  const planned = balance &&
    charges.data && {
      balance,
      charges: charges.data,
      amountCents: cents,
      chosen: charge,
      paidOn,
      isPending: status === 'pending',
      paidFeesCents,
      ledgerFrom: lease.data?.ledger_from,
    };
  // Those of a pending payment as well: it is marked as paid as it was recorded.
  const shares = planned && effectOf({ ...planned, isPending: false }).shares;
  const deposits = unnamedDeposits(shares ?? [], charge);
  const apart = isApart ? deposits : [];
  const { found: duplicate, find: findDuplicate } = useDuplicate({
    tenantId: chosen?.value ?? null,
    leaseId: balance?.lease_id ?? null,
    amounts: [cents, ...withDepositsApart({ amount_cents: cents }, apart).map((part) => part.amount_cents)],
    paidOn,
    paidRentCents: charge ? null : rentOfPaid(balance, payer.data),
  });
  // The payment that somebody was asked about, and how often.
  const [asked, setAsked] = useState({ about: '', times: 0 });
  const asks = duplicate?.other.id === asked.about ? asked.times : 0;

  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Does not take the focus from a field the person has moved on to.
    const at = document.activeElement;
    if (chosen && (at === document.body || at?.getAttribute('role') === 'combobox')) field.current?.focus();
  }, [chosen]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the amount when it is filled in
  useEffect(() => {
    if (typed === null && document.activeElement === field.current) field.current?.select();
  }, [payer.data?.id, suggested]);

  const choose = (option: Option | null) => {
    setChosen(option);
    setWanted(null);
    setNamed(undefined);
    if (typed === '') setTyped(null);
  };
  return (
    <Dialog title="Record payment" onClose={onClose}>
      <Form
        submit={asks > 0 ? anyway : 'Record payment'}
        isReady={isReady}
        outcome={planned && <PaymentOutcome {...planned} />}
        onCancel={onClose}
        onSubmit={async (values) => {
          const isTyping = isFromField();
          // People who submit before the answer arrives are asked as well.
          const about = (await findDuplicate())?.other.id;
          if (about && (about !== asked.about || isTyping)) {
            setAsked({ about, times: asked.times + 1 });
            return false;
          }
          const body = {
            tenant_id: chosen?.value,
            // A tenant's only lease is found without being named, even after the date is corrected.
            lease_id: (balances.data?.length ?? 0) > 1 ? balance?.lease_id : undefined,
            charge_id: charge ?? undefined,
            amount_cents: values.money('amount_cents', currency) ?? undefined,
            currency,
            paid_on: values.text('paid_on') || undefined,
            method: values.text('method'),
            status,
            reference: values.text('reference'),
          };
          const recording =
            apart.length > 0
              ? createTogether('/payments', withDepositsApart({ ...body, amount_cents: cents }, apart))
              : create('/payments', body);
          await saved(recording, `${formatMoney(cents, currency)} from ${chosen?.label} recorded`);
          remember('payment-method', body.method);
          return onClose();
        }}
      >
        <TenantPicker selected={chosen} onSelect={choose} autoFocus={!initial} />
        {payer.error && !payer.data && <Problem error={payer.error} onRetry={payer.refetch} />}
        {balances.data && balances.data.length > 1 && (
          <SelectField
            name="lease_id"
            label="Lease"
            options={balances.data.map(leaseOption)}
            value={balance?.lease_id ?? ''}
            onChange={(event) => {
              setWanted(event.target.value);
              setNamed(undefined);
            }}
          />
        )}
        <FieldRow>
          <MoneyField
            ref={field}
            name="amount_cents"
            label="Amount"
            required
            currency={currency}
            value={amount}
            autoFocus={!!initial}
            onChange={(event) => setTyped(event.target.value)}
            onFocus={(event) => event.target.select()}
          />
          <DateField
            name="paid_on"
            label="Paid on"
            value={paidOn}
            onChange={(event) => setPaidOn(event.target.value)}
          />
        </FieldRow>
        {balance && charges.data && charges.data.length > 0 && (
          <ChargeField charges={charges.data} chosen={charge} onChange={setNamed} />
        )}
        {deposits.length > 0 && (
          <DepositApart
            deposits={deposits}
            amountCents={cents}
            currency={currency}
            isApart={isApart}
            onChange={setApart}
          />
        )}
        {planned && <PaymentPreview {...planned} />}
        {unknown && (
          <div role="alert" className="flex flex-col items-start gap-2">
            <p>What is owed could not be loaded. {messageOf(unknown.error)}</p>
            <Button onClick={() => unknown.refetch()}>Try again</Button>
          </div>
        )}
        {chosen && !isReady && !payer.error && <Skeleton count={3} />}
        <FieldRow columns={3}>
          <SelectField
            name="method"
            label="Method"
            options={optionsOf(paymentMethod)}
            // Most people always pay in the same way, so the last one is preselected.
            defaultValue={recall('payment-method') ?? 'bank_transfer'}
          />
          <SelectField
            name="status"
            label="Status"
            value={status}
            options={[
              { value: 'paid', label: 'Paid' },
              { value: 'pending', label: 'Pending' },
            ]}
            onChange={(event) => setStatus(event.target.value)}
          />
          <TextField name="reference" label="Reference" />
        </FieldRow>
        {duplicate && <DuplicateNote of={duplicate} asks={asks} action={anyway} />}
      </Form>
    </Dialog>
  );
}

/**
 * The deposit, if nothing else is owed. Money that names no charge pays rent first, even rent that falls due later. A
 * payment that names the deposit stays one.
 */
function onlyDeposit(balance: Balance | undefined, charges: Charge[] | undefined): string | null {
  const due = charges?.filter(({ status }) => status !== 'upcoming') ?? [];
  const [first] = due;
  const sum = due.reduce((cents, { open_cents }) => cents + open_cents, 0);
  const isOnly = due.every(({ kind }) => kind === 'deposit') && sum === balance?.owed_cents;
  return first && isOnly ? first.id : null;
}

/** A former tenant who owes nothing pays no more rent. */
const rentOf = (balance: Balance | undefined, payer: Tenant | undefined): number | null =>
  balance?.lease.status === 'ended' ? null : (payer?.lease?.current_rent_cents ?? null);

/** One month's rent of a lease that owes nothing. */
const rentOfPaid = (balance: Balance | undefined, payer: Tenant | undefined): number | null =>
  balance && balance.owed_cents <= 0 && payer?.lease?.id === balance.lease_id ? rentOf(balance, payer) : null;

const leaseOf = (balances: Balance[] | undefined, id: string | null | undefined): Balance | undefined =>
  balances?.find(({ lease_id }) => lease_id === id) ?? balances?.[0];

function centsOf(amount: string, currency: string): number {
  const cents = readMoney(amount, currency);
  return typeof cents === 'number' ? Math.max(0, cents) : 0;
}
