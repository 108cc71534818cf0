import type { Lease } from '../../api/records.ts';
import { Day } from '../../ui/date.tsx';
import { moneyColumn, statusColumn } from '../../ui/lists/columns.tsx';
import { type Named, PlaceName, TenantName } from '../../ui/lists/names.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { leaseStatus } from '../../ui/words.ts';

function LeaseTenants({ of: [head, ...others] }: { of: Named[] }) {
  return (
    <>
      <TenantName of={head} />
      {others.length > 0 && (
        <span className="font-normal whitespace-nowrap text-soft"> +{others.length}</span>
      )}
    </>
  );
}

const tenants: Column<Lease> = {
  name: 'Tenant',
  phone: 'title',
  cell: (lease) => <LeaseTenants of={lease.tenants ?? []} />,
};
const unit: Column<Lease> = {
  name: 'Unit',
  phone: 'line',
  cell: (lease) => <PlaceName of={lease} />,
};
const from: Column<Lease> = {
  name: 'From',
  sort: 'start_date',
  width: 8,
  cell: (lease) => <Day date={lease.start_date} />,
};
const others: Column<Lease>[] = [
  {
    name: 'To',
    sort: 'end_date',
    width: 9,
    cell: (lease) => <Day date={lease.ended_on ?? lease.end_date} none="Month to month" />,
  },
  statusColumn('Status', (lease) => leaseStatus[lease.status]),
  moneyColumn('Rent', (lease) => lease.current_rent_cents),
];

export const leaseColumns = [tenants, unit, from, ...others];
export const tenantPanelColumns: Column<Lease>[] = [
  { ...unit, phone: 'title' },
  { ...from, phone: 'line' },
  ...others,
];
