import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRecord } from '../../api/queries.ts';
import type { Balance, Tenant } from '../../api/records.ts';
import { selectClass } from '../../ui/forms/field.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Loaded } from '../../ui/states.tsx';
import { LeaseLedger } from './lease-ledger.tsx';
import { leaseOption } from './lease-option.ts';
import { balancesOf } from './ledger-queries.ts';

/** The ledger of a tenant's lease, which includes flatmates. If there are several leases, one is chosen. */
export function TenantLedger({ tenant }: { tenant: Tenant }) {
  const { data: balances = [] } = useQuery(balancesOf(tenant.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const leaseId = chosen ?? tenant.lease?.id;
  const lease = useRecord('leases', leaseId);
  if (!leaseId) return null;
  const others = elsewhere(balances.filter(({ lease_id }) => lease_id !== leaseId));
  return (
    <div className="flex flex-col gap-3">
      {balances.length > 1 && (
        <select
          aria-label="Lease"
          value={leaseId}
          onChange={(event) => setChosen(event.target.value)}
          className={selectClass}
        >
          {balances.map(leaseOption).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
      {others.length > 0 && <p className="text-sm text-soft">On other leases: {others.join(', ')}</p>}
      <Loaded query={lease}>
        {(data) => (
          <>
            <LeaseLedger key={data.id} lease={data} />
            {data.tenant_ids.length > 1 && (
              <p className="text-sm text-soft">
                This is the ledger of <TextLink to={`/leases/${data.id}`}>the whole lease</TextLink>, with its
                other tenants.
              </p>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** What is owed and what is in credit, each currency separately: "$900.00 owed", "$25.00 in credit". */
function elsewhere(balances: Balance[]): string[] {
  const sums = (word: string, cents: (balance: Balance) => number) =>
    [...Map.groupBy(balances, ({ currency }) => currency)].flatMap(([currency, own]) => {
      const sum = own.reduce((all, balance) => all + cents(balance), 0);
      return sum > 0 ? [`${formatMoney(sum, currency)} ${word}`] : [];
    });
  return [...sums('owed', (row) => row.owed_cents), ...sums('in credit', (row) => row.credit_cents)];
}
