import { useState } from 'react';
import type { KeyScope } from '../../api/records.ts';
import { useIsOwner } from '../../api/session.ts';
import { Check } from '../../ui/forms/check.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { useFieldError } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';

const words: Record<KeyScope, string> = {
  properties: 'Properties',
  units: 'Units',
  tenants: 'Tenants',
  leases: 'Leases and ledgers',
  payments: 'Payments',
  charges: 'Charges',
  credits: 'Credits',
  'recurring-charges': 'Recurring charges',
  'late-fees': 'Late fees',
  balances: 'Balances',
  maintenance: 'Maintenance',
  imports: 'Imports (with all records)',
  files: 'Photos and documents (with the scope of their records)',
  reports: 'Reports',
  webhooks: 'Webhooks',
  deliveries: 'Deliveries (of all kinds)',
  events: 'Events (of all kinds)',
  account: 'Account settings',
  'audit-log': 'Audit log',
  test: 'Test clock (in test mode)',
};

export const scopeWords = (scopes: KeyScope[] | null): string =>
  scopes === null ? 'Everything' : scopes.map((scope) => words[scope]).join(', ');

/** What a key may be used for, and from where. */
export function KeyLimits() {
  const [choice, setChoice] = useState('all');
  const problem = useFieldError('scopes');
  const isOwner = useIsOwner();
  return (
    <>
      <SelectField
        name="reach"
        label="Access to"
        options={[
          { value: 'all', label: 'Everything' },
          { value: 'some', label: 'Certain records only' },
        ]}
        hint={isOwner && choice === 'all' ? 'Except the audit log, which must be chosen.' : undefined}
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
      />
      {choice === 'some' && (
        <fieldset>
          <legend className="sr-only">Certain records</legend>
          {problem && (
            <p role="alert" className="mb-2 text-sm text-bad">
              Choose at least one.
            </p>
          )}
          <div className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
            {Object.entries(words)
              .filter(([scope]) => isOwner || scope !== 'audit-log')
              .map(([scope, label]) => (
                <Check key={scope} name="scopes" value={scope} label={label} />
              ))}
          </div>
        </fieldset>
      )}
      <TextField
        name="allowed_addresses"
        label="Allowed addresses"
        placeholder="203.0.113.7, 2001:db8::/32"
        hint="Where the program runs from. Leave it empty to allow any address."
      />
    </>
  );
}

export function readLimits(values: FormValues) {
  const addresses = values
    .text('allowed_addresses')
    .split(/[\s,;]+/)
    .filter((part) => part !== '');
  return {
    scopes: values.text('reach') === 'some' ? values.all('scopes') : null,
    allowed_addresses: addresses.length === 0 ? null : addresses,
  };
}
