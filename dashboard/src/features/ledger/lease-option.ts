import type { Balance } from '../../api/records.ts';
import { formatDay } from '../../ui/date.tsx';
import { formatMoney } from '../../ui/money.tsx';

/**
 * One of a tenant's leases, as an option: "$900.00 owed · Maple Court, 2B · from Jun 1, 2025". The amount comes first,
 * because a long name may be cut off.
 */
export function leaseOption({
  lease_id,
  property,
  unit,
  lease,
  owed_cents,
  credit_cents,
  currency,
}: Balance) {
  const credit = credit_cents > 0 ? `${formatMoney(credit_cents, currency)} in credit` : 'Nothing owed';
  const owed = owed_cents > 0 ? `${formatMoney(owed_cents, currency)} owed` : credit;
  const from = `from ${formatDay(lease.start_date)}`;
  return { value: lease_id, label: `${owed} · ${property.name}, ${unit.name} · ${from}` };
}
