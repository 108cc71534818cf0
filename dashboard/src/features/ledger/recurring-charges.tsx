import { useQuery } from '@tanstack/react-query';
import { MoreHorizontal, Plus } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import { whole } from '../../api/queries.ts';
import type { Lease, RecurringCharge } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { create, saved } from '../../api/writes.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatDay, today } from '../../ui/date.tsx';
import { DateField, FieldRow, MoneyField, SelectField, TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { chargeKind, every, optionsOf } from '../../ui/words.ts';
import { HistoryDialog } from '../history/history-dialog.tsx';
import { chargeName } from './charge-words.ts';

interface Chosen {
  charge: RecurringCharge;
  to: 'change' | 'end' | 'look';
}

/** What a lease is charged regularly besides the rent. */
export function RecurringCharges({ lease }: { lease: Lease }) {
  const query = useQuery(whole('recurring-charges', { lease_id: lease.id }));
  const [isAdding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const canWrite = useCanWrite();
  const close = () => setChosen(null);
  return (
    <Section
      title="Recurring charges"
      actions={
        canWrite && (
          <Button icon={<Plus />} aria-label="Add recurring charge" onClick={() => setAdding(true)}>
            Add
          </Button>
        )
      }
    >
      <Loaded query={query} waiting={<Skeleton count={2} />}>
        {(charges) =>
          charges.length === 0 ? (
            <p className="border-t border-line pt-3 text-soft">Nothing beside the rent.</p>
          ) : (
            <ul aria-label="Recurring charges" className="border-t border-line">
              {charges.map((charge) => (
                <li
                  key={charge.id}
                  className="flex items-start justify-between gap-2 border-b border-line py-2"
                >
                  <div className="min-w-0">
                    <div className="wrap-anywhere">{nameOf(charge)}</div>
                    <div className="text-sm text-soft">{whenDue(charge)}</div>
                  </div>
                  <div className="flex shrink-0 items-start gap-1">
                    <span className="figures pt-1.5">
                      {formatMoney(amountOn(charge, charge.next_due_on ?? today()), charge.currency)}
                    </span>
                    <Menu
                      trigger={
                        <IconButton label={`${canWrite ? 'Change' : 'More about'} ${nameOf(charge)}`}>
                          <MoreHorizontal />
                        </IconButton>
                      }
                    >
                      {canWrite && (
                        <>
                          <MenuItem onSelect={() => setChosen({ charge, to: 'change' })}>
                            Change amount
                          </MenuItem>
                          <MenuItem onSelect={() => setChosen({ charge, to: 'end' })}>
                            {charge.ends_on ? 'Change its end' : 'End it'}
                          </MenuItem>
                        </>
                      )}
                      <MenuItem onSelect={() => setChosen({ charge, to: 'look' })}>History</MenuItem>
                    </Menu>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <AddDialog lease={lease} onClose={() => setAdding(false)} />}
      {chosen?.to === 'change' && <ChangeDialog charge={chosen.charge} onClose={close} />}
      {chosen?.to === 'end' && <EndDialog charge={chosen.charge} onClose={close} />}
      {chosen?.to === 'look' && (
        <HistoryDialog
          title={nameOf(chosen.charge)}
          path={`/recurring-charges/${chosen.charge.id}`}
          currency={chosen.charge.currency}
          onClose={close}
        />
      )}
    </Section>
  );
}

const nameOf = (charge: RecurringCharge): string => chargeName({ ...charge, period: null });

/** The amount in force on a day. */
const amountOn = ({ amount_cents, amount_changes }: RecurringCharge, day: string): number =>
  amount_changes.findLast(({ from }) => from <= day)?.amount_cents ?? amount_cents;

function whenDue(charge: RecurringCharge): string {
  const next = charge.next_due_on === null ? 'ended' : `next on ${formatDay(charge.next_due_on)}`;
  const end = charge.ends_on && charge.next_due_on ? `, until ${formatDay(charge.ends_on)}` : '';
  return `${every[charge.every]}, ${next}${end}`;
}

const kinds = optionsOf(chargeKind).filter(({ value }) => value !== 'rent');

function AddDialog({ lease, onClose }: { lease: Lease; onClose: () => void }) {
  return (
    <FormDialog
      title="Add a recurring charge"
      description="Repeats for as long as the lease runs. Rent is part of the lease itself."
      submit="Add recurring charge"
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          lease_id: lease.id,
          kind: values.text('kind'),
          amount_cents: values.money('amount_cents', lease.currency) ?? undefined,
          every: values.text('every'),
          starts_on: values.text('starts_on') || undefined,
          ends_on: values.optional('ends_on'),
          memo: values.text('memo'),
        };
        return saved(create('/recurring-charges', body), 'Recurring charge added');
      }}
    >
      <FieldRow>
        <SelectField name="kind" label="For" options={kinds} defaultValue="parking" />
        <MoneyField name="amount_cents" label="Amount" required currency={lease.currency} autoFocus />
      </FieldRow>
      <SelectField name="every" label="How often" options={optionsOf(every)} defaultValue="month" />
      <FieldRow>
        <DateField
          name="starts_on"
          label="First due on"
          defaultValue={lease.start_date > today() ? lease.start_date : today()}
        />
        <DateField name="ends_on" label="Last day" hint="Leave it empty to run until the lease ends." />
      </FieldRow>
      <TextField name="memo" label="Memo" hint="The tenant sees this on the statement." />
    </FormDialog>
  );
}

function ChangeDialog({ charge, onClose }: { charge: RecurringCharge; onClose: () => void }) {
  return (
    <FormDialog
      title="Change the amount"
      description={`${nameOf(charge)}, ${every[charge.every].toLowerCase()}. Charges due from that day on get the new amount.`}
      submit="Save changes"
      onClose={onClose}
      onSubmit={(values) => {
        const body = {
          amount_cents: values.money('amount_cents', charge.currency) ?? undefined,
          from: values.text('from') || undefined,
        };
        return saved(patch(`/recurring-charges/${charge.id}`, body), 'Recurring charge saved');
      }}
    >
      <FieldRow>
        <MoneyField
          name="amount_cents"
          label="Amount"
          required
          autoFocus
          currency={charge.currency}
          cents={amountOn(charge, charge.next_due_on ?? today())}
        />
        <DateField name="from" label="From" defaultValue={charge.next_due_on ?? today()} />
      </FieldRow>
    </FormDialog>
  );
}

function EndDialog({ charge, onClose }: { charge: RecurringCharge; onClose: () => void }) {
  return (
    <FormDialog
      title="End this charge"
      description="Charges due after the last day are voided. Leave it empty to run until the lease ends."
      submit="Save changes"
      onClose={onClose}
      onSubmit={(values) =>
        saved(
          patch(`/recurring-charges/${charge.id}`, { ends_on: values.optional('ends_on') }),
          'Recurring charge saved',
        )
      }
    >
      <DateField name="ends_on" label="Last day" defaultValue={charge.ends_on ?? today()} autoFocus />
    </FormDialog>
  );
}
