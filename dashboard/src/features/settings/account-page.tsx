import { patch } from '../../api/client.ts';
import { useIsOwner, useSession } from '../../api/session.ts';
import { saved } from '../../api/writes.ts';
import { currencies } from '../../ui/forms/amounts.ts';
import { saveChanges } from '../../ui/forms/edit-form.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Facts } from '../../ui/records/facts.tsx';
import { roles } from '../../ui/words.ts';
import { CloseAccount } from './close-account.tsx';

export function AccountPage() {
  const { user, account, role, version } = useSession();
  return (
    <Page title="Account" width="form">
      <div className="flex flex-col gap-10">
        <TheAccount />
        <Section title="Your profile">
          <div className="mb-4">
            <Facts
              of={[
                ['Email', user?.email],
                ['Role', role && `${roles[role].word}: ${roles[role].may}`],
              ]}
            />
          </div>
          <Form
            submit="Save profile"
            onSubmit={(values) => saved(patch('/me', { name: values.text('name') }), 'Profile saved')}
          >
            <TextField name="name" label="Your name" autoComplete="name" defaultValue={user?.name} />
          </Form>
        </Section>
        <CloseAccount />
        <p className="text-sm text-soft">
          Tenure {version}, account <code className="break-all">{account?.id}</code>
        </p>
      </div>
    </Page>
  );
}

function TheAccount() {
  const { account } = useSession();
  const isOwner = useIsOwner();
  return (
    <Section title="This account">
      {isOwner ? (
        <Form
          submit="Save account"
          onSubmit={(values, before) =>
            saveChanges('/account', readAccount(before), readAccount(values), 'Account saved')
          }
        >
          <TextField name="name" label="Name" defaultValue={account?.name} autoComplete="organization" />
          <SelectField
            name="currency"
            label="Currency"
            hint="For new leases and payments; existing ones keep theirs. Asking rents and repair costs are not converted."
            options={currencyOptions}
            defaultValue={account?.currency}
          />
        </Form>
      ) : (
        <Facts
          of={[
            ['Name', account?.name],
            ['Currency', account?.currency],
          ]}
        />
      )}
    </Section>
  );
}

const readAccount = (values: FormValues) => ({
  name: values.text('name'),
  currency: values.text('currency'),
});

const currencyNames = new Intl.DisplayNames(undefined, { type: 'currency' });
const currencyOptions = currencies.map((value) => ({
  value,
  label: `${value} – ${currencyNames.of(value) ?? value}`,
}));
