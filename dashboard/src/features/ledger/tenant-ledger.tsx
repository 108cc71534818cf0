import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRecord } from '../../api/queries.ts';
import type { Tenant } from '../../api/records.ts';
import { selectClass } from '../../ui/forms/field.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { LeaseLedger } from './lease-ledger.tsx';
import { leaseOption } from './lease-option.ts';
import { balancesOf } from './ledger-queries.ts';

/** The ledger of a tenant's lease, which includes flatmates. If there are several leases, one is chosen. */
export function TenantLedger({ tenant }: { tenant: Tenant }) {
  const { data: balances = [] } = useQuery(balancesOf(tenant.id));
  const [chosen, setChosen] = useState<string | null>(null);
  const leaseId = chosen ?? tenant.lease?.id;
  const { data: lease } = useRecord('leases', leaseId);
  if (!lease) return null;
  const others = lease.tenant_ids.length - 1;
  return (
    <div className="flex flex-col gap-3">
      {balances.length > 1 && (
        <select
          aria-label="Lease"
          value={lease.id}
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
      <LeaseLedger key={lease.id} lease={lease} />
      {others > 0 && (
        <p className="text-sm text-soft">
          This is the ledger of <TextLink to={`/leases/${lease.id}`}>the whole lease</TextLink>, with its
          other tenants.
        </p>
      )}
    </div>
  );
}
