import { ChevronDown, Pencil } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { Payment } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay, formatMoment, formatMonth } from '../../ui/date.tsx';
import { EditForm, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { DateField, FieldRow, MoneyField, TextAreaField, TextField } from '../../ui/forms/field.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { PropertyName, TenantName, TextLink } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Details, type Fact } from '../../ui/records/facts.tsx';
import { RecordPage, WithAside } from '../../ui/records/record-page.tsx';
import { Status } from '../../ui/status.tsx';
import { paymentMethod, paymentMoves, paymentStatus } from '../../ui/words.ts';
import { FilesSection } from '../files/files-section.tsx';
import { Timeline } from '../history/timeline.tsx';
import { PaidFor } from './paid-for.tsx';
import { MethodAndMonth } from './payment-fields.tsx';
import { isReversal, ReverseDialog } from './reverse-dialog.tsx';

export const PaymentPage = () => (
  <RecordPage noun="payments" title="Payment">
    {(payment) => <ThisPayment payment={payment} />}
  </RecordPage>
);

function ThisPayment({ payment }: { payment: Payment }) {
  const amount = formatMoney(payment.amount_cents, payment.currency);
  return (
    <Page
      title={amount}
      tab={`Payment of ${amount}`}
      about={<Status of={paymentStatus[payment.status]} />}
      back="/payments"
      actions={<Actions key={payment.id} payment={payment} />}
    >
      <WithAside
        aside={
          <>
            <FilesSection key={payment.id} record={payment.id} />
            <Timeline path={`/payments/${payment.id}`} currency={payment.currency} />
          </>
        }
      >
        <Details columns={2} of={factsOf(payment)} />
        <PaidFor payment={payment} />
      </WithAside>
    </Page>
  );
}

const factsOf = (payment: Payment): Fact[] => [
  ['Tenant', <TenantName key="tenant" of={payment.tenant} isLink />],
  ['Paid on', formatDay(payment.paid_on)],
  [paymentStatus[payment.status].word, payment.reversed_on && formatDay(payment.reversed_on)],
  ['Property', payment.property && <PropertyName key="property" of={payment.property} isLink />],
  ['For the month', payment.period && formatMonth(payment.period)],
  ['Unit', payment.unit?.name],
  ['Method', paymentMethod[payment.method]],
  ['Lease', payment.lease_id && <TextLink to={`/leases/${payment.lease_id}`}>View lease</TextLink>],
  ['Reference', payment.reference],
  ['Memo', payment.memo && <span className="whitespace-pre-line">{payment.memo}</span>],
  ['Recorded', `${formatMoment(payment.created_at)}${sources[payment.source]}`],
];

const sources: Record<Payment['source'], string> = {
  api: ', through the API',
  dashboard: '',
  import: ', by import',
};

const moveWords: Record<Payment['status'], string> = {
  pending: 'Mark as pending',
  paid: 'Mark as paid',
  failed: 'Mark as failed',
  returned: 'Mark as returned',
  refunded: 'Mark as refunded',
  voided: 'Void',
};

const wordOf = (status: Payment['status']) => paymentStatus[status].word.toLowerCase();
const isFinal = (status: Payment['status']) => paymentMoves[status].length === 0;

function Actions({ payment }: { payment: Payment }) {
  const [isEditing, setEditing] = useState(false);
  const [asking, setAsking] = useState<Payment['status'] | null>(null);
  const path = `/payments/${payment.id}`;
  const change = (status: Payment['status']) =>
    saved(patch(path, { status }), `Payment marked as ${wordOf(status)}`);
  const move = useAction(change);
  const moves = paymentMoves[payment.status];
  if (!useCanWrite()) return null;
  return (
    <>
      {moves.length > 0 && (
        <Menu
          trigger={
            <Button isBusy={move.isBusy}>
              Change status <ChevronDown />
            </Button>
          }
        >
          {moves.map((status) => (
            <MenuItem key={status} onSelect={() => (isFinal(status) ? setAsking(status) : move.run(status))}>
              {moveWords[status]}
            </MenuItem>
          ))}
        </Menu>
      )}
      <Button kind="main" icon={<Pencil />} onClick={() => setEditing(true)}>
        Edit
      </Button>
      {isEditing && <EditPayment payment={payment} onClose={() => setEditing(false)} />}
      {isReversal(asking) && (
        <ReverseDialog payment={payment} status={asking} onClose={() => setAsking(null)} />
      )}
      {asking && !isReversal(asking) && (
        <Confirm
          title={`Mark this payment as ${wordOf(asking)}?`}
          action={moveWords[asking]}
          onClose={() => setAsking(null)}
          onConfirm={() => change(asking)}
        >
          The status cannot be changed afterwards.
        </Confirm>
      )}
    </>
  );
}

function EditPayment({ payment: now, onClose }: { payment: Payment; onClose: () => void }) {
  const payment = useAsOpened(now) ?? now;
  const { currency } = payment;
  const isClosed = isFinal(payment.status);
  const read = (values: FormValues) => ({
    amount_cents: values.money('amount_cents', currency),
    paid_on: values.optional('paid_on'),
    method: values.text('method'),
    period: values.optional('period'),
    reference: values.text('reference'),
    memo: values.text('memo'),
  });
  return (
    <Dialog title="Edit payment" onClose={onClose}>
      <EditForm path={`/payments/${payment.id}`} read={read} message="Payment saved" onClose={onClose}>
        <FieldRow>
          <MoneyField
            name="amount_cents"
            label="Amount"
            autoFocus={!isClosed}
            disabled={isClosed}
            hint={isClosed ? `A ${wordOf(payment.status)} payment keeps its amount and date.` : undefined}
            currency={currency}
            cents={payment.amount_cents}
          />
          <DateField name="paid_on" label="Paid on" disabled={isClosed} defaultValue={payment.paid_on} />
        </FieldRow>
        <MethodAndMonth method={payment.method} month={payment.period} />
        <TextField name="reference" label="Reference" defaultValue={payment.reference} />
        <TextAreaField name="memo" label="Memo" rows={2} defaultValue={payment.memo} />
      </EditForm>
    </Dialog>
  );
}
