import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { Lease } from '../../api/records.ts';
import { post, saved } from '../../api/writes.ts';
import { formatDay, today } from '../../ui/date.tsx';
import { moneyText, readMoney } from '../../ui/forms/amounts.ts';
import { changedFields } from '../../ui/forms/edit-form.tsx';
import { DateField, FieldRow, MoneyField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { ChangePreview, useChangePreview } from './change-preview.tsx';

interface Props {
  lease: Lease;
  onClose: () => void;
}

export function NoticeDialog({ lease, onClose }: Props) {
  return (
    <FormDialog
      title="Give notice"
      description="Records that the tenants are moving out. The lease runs until its last day."
      submit="Give notice"
      onClose={onClose}
      onSubmit={(values, before) => {
        const endDate = (form: FormValues) => ({ end_date: form.optional('end_date') });
        const body = {
          notice_given_on: values.text('notice_given_on'),
          ...changedFields(endDate(before), endDate(values)),
        };
        return saved(patch(`/leases/${lease.id}`, body), 'Notice recorded');
      }}
    >
      <DateField name="notice_given_on" label="Notice given on" required defaultValue={today()} autoFocus />
      <DateField name="end_date" label="Last day" defaultValue={lease.end_date} />
    </FormDialog>
  );
}

export function EndDialog({ lease, onClose }: Props) {
  const path = `/leases/${lease.id}`;
  // A lease cannot end before it begins.
  const [day, setDay] = useState(lease.start_date > today() ? lease.start_date : today());
  const { preview, isReady } = useChangePreview(`${path}/end`, { ended_on: day }, day !== '');
  return (
    <FormDialog
      title="End lease"
      description="The unit is free from this day on. Rent is charged up to the day before."
      submit="End lease"
      isReady={isReady}
      onClose={onClose}
      onSubmit={(values) => {
        const ended_on = values.text('ended_on');
        const told = ended_on > today() ? `Lease ends on ${formatDay(ended_on)}` : 'Lease ended';
        return saved(patch(path, { ended_on }), told);
      }}
    >
      <DateField
        name="ended_on"
        label="Ended on"
        required
        autoFocus
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <ChangePreview of={preview} lastDay="Final balance" none="No charges are added or voided." />
    </FormDialog>
  );
}

/** Renews a lease. The same lease and ledger continue. */
export function RenewDialog({ lease, onClose }: Props) {
  const path = `/leases/${lease.id}/renew`;
  const { currency } = lease;
  const first = lease.end_date === null ? firstOfNextMonth(today()) : shifted(lease.end_date, 0, 1);
  const [from, setFrom] = useState(first);
  const [end, setEnd] = useState(lease.end_date === null ? '' : shifted(first, 12, -1));
  const [rent, setRent] = useState(moneyText(lease.current_rent_cents, currency));
  const typed = readMoney(rent, currency);
  // The present rent is not a change.
  const rent_cents = typed === lease.current_rent_cents ? undefined : typed;
  const terms = { from, end_date: end || null, rent_cents };
  const isWhole = from !== '' && typeof rent_cents !== 'string';
  const { preview, isReady } = useChangePreview(path, { ...terms, end_date: end || undefined }, isWhole);
  return (
    <FormDialog
      title="Renew lease"
      description="The lease and its ledger continue. Any notice that was given is withdrawn."
      submit="Renew lease"
      isReady={isReady}
      onClose={onClose}
      onSubmit={() => saved(post(path, { ...terms, from: from || undefined }), 'Lease renewed')}
    >
      <FieldRow>
        <DateField name="from" label="From" value={from} onChange={(event) => setFrom(event.target.value)} />
        <DateField
          name="end_date"
          label="Last day"
          hint="Leave empty for month to month."
          autoFocus
          value={end}
          onChange={(event) => setEnd(event.target.value)}
        />
      </FieldRow>
      <MoneyField
        name="rent_cents"
        label="New monthly rent"
        currency={currency}
        value={rent}
        onChange={(event) => setRent(event.target.value)}
      />
      <ChangePreview
        of={preview}
        lastDay={end === '' ? 'In a year' : 'On the last day'}
        none="The renewal itself changes no charges."
      />
    </FormDialog>
  );
}

const firstOfNextMonth = (day: string) => shifted(`${day.slice(0, 7)}-01`, 1, 0);

/** The day some months and days later; in a shorter month, its last day. */
function shifted(day: string, months: number, days: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const time = Date.UTC(year, month - 1 + months, Math.min(date, last) + days);
  return new Date(time).toISOString().slice(0, 10);
}
