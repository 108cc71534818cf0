import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { get } from '../../api/client.ts';
import type { Account } from '../../api/records.ts';
import { useIsOwner } from '../../api/session.ts';
import { saveChanges, useAsOpened } from '../../ui/forms/edit-form.tsx';
import { FieldRow, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { FormValues } from '../../ui/forms/form-values.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Facts } from '../../ui/records/facts.tsx';
import { Loaded } from '../../ui/states.tsx';
import { count } from '../../ui/words.ts';
import { completePolicy } from '../ledger/late-fee-example.ts';
import { PolicyFields, readPolicy } from '../ledger/late-fee-fields.tsx';
import { lateFeesInWords, type Policy } from '../ledger/late-fee-words.ts';
import { LateFeePreview } from './late-fee-preview.tsx';
import { TimeZoneField } from './time-zone-field.tsx';

const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => get<Account>('/account', undefined, signal),
});

/** When rent is charged, and what being late costs. */
export function RentPage() {
  const query = useQuery(accountQuery);
  const data = useAsOpened(query.data);
  const isOwner = useIsOwner();
  return (
    <Page title="Rent" width="form">
      <Loaded query={{ ...query, data }}>
        {(account) =>
          isOwner ? (
            <div className="flex flex-col gap-10">
              <Section title="Days">
                <Days account={account} />
              </Section>
              <Section title="Late fees">
                <LateFees account={account} />
              </Section>
            </div>
          ) : (
            <Facts of={facts(account)} />
          )
        }
      </Loaded>
    </Page>
  );
}

const facts = ({
  time_zone,
  post_days_before_due,
  late_fees,
  currency,
  lease_expiring_days,
}: Account): [string, string][] => [
  ['Time zone', time_zone.replaceAll('_', ' ')],
  ['Charges', `posted ${count(post_days_before_due, 'day')} before they are due`],
  ['Late fees', lateFeesInWords(late_fees ?? 'none', currency)],
  ['Leases', `announced as expiring ${lease_expiring_days.join(', ')} days before their end`],
];

function Days({ account }: { account: Account }) {
  return (
    <Form
      submit="Save days"
      onSubmit={(values, before) => saveChanges('/account', readDays(before), readDays(values), 'Days saved')}
    >
      <TimeZoneField timeZone={account.time_zone} />
      <FieldRow>
        <TextField
          name="post_days_before_due"
          label="Charge rent ahead"
          inputMode="numeric"
          hint="How many days before the due day rent appears on the ledger, from 0 to 60."
          defaultValue={account.post_days_before_due}
        />
        <TextField
          name="lease_expiring_days"
          label="Announce that a lease is ending"
          hint="Days before the end, such as 90, 60, 30. Webhooks are notified on these days."
          defaultValue={account.lease_expiring_days.join(', ')}
        />
      </FieldRow>
    </Form>
  );
}

const readDays = (values: FormValues) => ({
  time_zone: values.text('time_zone'),
  post_days_before_due: values.number('post_days_before_due'),
  lease_expiring_days: values
    .text('lease_expiring_days')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    // Text that is not a number is sent unchanged, so that the server refuses it.
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
});

const choices = [
  { value: 'none', label: 'None' },
  { value: 'own', label: 'Charge late fees' },
];

function LateFees({ account: { late_fees, currency } }: { account: Account }) {
  const [choice, setChoice] = useState(late_fees === null ? 'none' : 'own');
  const [policy, setPolicy] = useState<Policy | null>(late_fees);
  const [edits, setEdits] = useState(0);
  const fields = useRef<HTMLDivElement>(null);
  // Runs after a choice has brought in its fields.
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each edit
  useEffect(() => {
    const form = fields.current?.closest('form');
    if (form) setPolicy(completePolicy(readPolicy(new FormValues(form), currency)));
  }, [edits, currency]);
  const read = (values: FormValues) => ({
    late_fees: values.text('late_fees') === 'own' ? readPolicy(values, currency) : null,
  });
  return (
    <Form
      submit="Save late fees"
      onSubmit={(values, before) => saveChanges('/account', read(before), read(values), 'Late fees saved')}
    >
      {/* Events of the fields inside bubble up to here. */}
      <div ref={fields} onChange={() => setEdits(edits + 1)} className="flex flex-col gap-4">
        <SelectField
          name="late_fees"
          label="Late fees"
          hint="Applies to rent due after today. A property or a lease can have its own."
          options={choices}
          value={choice}
          onChange={(event) => setChoice(event.target.value)}
        />
        {choice === 'own' && (
          <>
            <PolicyFields policy={late_fees} currency={currency} />
            <LateFeePreview policy={policy} currency={currency} />
          </>
        )}
      </div>
    </Form>
  );
}
