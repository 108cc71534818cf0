import type { Balance } from '../../api/records.ts';
import { formatDay } from '../../ui/date.tsx';
import { formatMoney } from '../../ui/money.tsx';

/** One of a tenant's leases, as an option: "Maple Court, 2B · $900.00 owed · from Jun 1, 2025". */
export function leaseOption({ lease_id, property, unit, lease, owed_cents, currency }: Balance) {
  const owed = owed_cents > 0 ? `${formatMoney(owed_cents, currency)} owed` : 'nothing owed';
  const from = `from ${formatDay(lease.start_date)}`;
  return { value: lease_id, label: `${property.name}, ${unit.name} · ${owed} · ${from}` };
}
