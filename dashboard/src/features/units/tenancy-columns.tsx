import type { Tenancy, Unit } from '../../api/records.ts';
import { cx } from '../../ui/class-names.ts';
import { Day } from '../../ui/date.tsx';
import { statusColumn } from '../../ui/lists/columns.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { longestOf, Money } from '../../ui/money.tsx';
import { nextEvent, unitStatus } from '../../ui/words.ts';

export const rooms = (unit: Pick<Unit, 'bedrooms' | 'bathrooms' | 'area_sqft'>): string =>
  [
    unit.bedrooms !== null && (unit.bedrooms === 0 ? 'Studio' : `${unit.bedrooms} bed`),
    unit.bathrooms !== null && `${unit.bathrooms} bath`,
    unit.area_sqft !== null && `${unit.area_sqft.toLocaleString()} sq ft`,
  ]
    .filter(Boolean)
    .join(' · ') || '–';

const none = <span className="text-faint">–</span>;

/** The name opens the unit if it can be changed. Its hit area covers the row. */
export const tenancyColumns = (onOpen: ((unit: Tenancy) => void) | undefined): Column<Tenancy>[] => [
  {
    name: 'Unit',
    phone: 'title',
    width: 13,
    cell: (unit) => (
      <>
        {onOpen ? (
          <button
            type="button"
            onClick={() => onOpen(unit)}
            className="text-left font-medium wrap-anywhere after:absolute after:inset-0 hover:after:bg-ink/4"
          >
            {unit.name}
          </button>
        ) : (
          <span className="font-medium wrap-anywhere">{unit.name}</span>
        )}
        {rooms(unit) !== '–' && <div className="text-sm text-soft">{rooms(unit)}</div>}
      </>
    ),
  },
  { name: 'Tenant', phone: 'line', cell: Renters },
  statusColumn('Status', (unit) => unitStatus[unit.status]),
  {
    name: 'Rent',
    align: 'right',
    phone: 'aside',
    width: 7,
    amounts: (units) =>
      longestOf(
        units.flatMap(({ lease, market_rent_cents: cents, currency }) => [
          { cents, currency },
          ...(lease ? [{ cents: lease.rent_cents, currency: lease.currency }] : []),
        ]),
      ),
    cell: Rent,
  },
  {
    name: 'Balance',
    align: 'right',
    phone: 'aside',
    width: 7,
    amounts: (units) =>
      longestOf(
        units.flatMap(({ lease }) =>
          lease
            ? [lease.owed_cents, lease.credit_cents].map((cents) => ({ cents, currency: lease.currency }))
            : [],
        ),
      ),
    cell: Balance,
  },
  { name: 'Next event', phone: 'line', width: 7, cell: NextEvent },
];

/** For a link that can be clicked even though another one covers its row. */
const above = 'relative z-1';

function Renters({ tenants, lease }: Tenancy) {
  if (lease === null) return none;
  return (
    <span className={lease.status === 'upcoming' ? 'text-soft' : undefined}>
      {tenants.map(({ id, name }, index) => (
        <span key={id} className={above}>
          {index > 0 && ', '}
          <TextLink to={`/tenants/${id}`}>{name}</TextLink>
        </span>
      ))}
    </span>
  );
}

/** The lease's rent or, without a lease, the unit's market rent. */
function Rent({ lease, market_rent_cents, currency }: Tenancy) {
  if (lease && lease.status !== 'upcoming')
    return <Money cents={lease.rent_cents} currency={lease.currency} />;
  if (market_rent_cents === null) return none;
  return (
    <span className="text-soft">
      <Money cents={market_rent_cents} currency={currency} />
      <span className="block text-sm">asked</span>
    </span>
  );
}

/** What is owed and, separately, what is in credit. */
function Balance({ lease }: Tenancy) {
  if (lease === null) return none;
  const { owed_cents, overdue_cents, credit_cents, currency } = lease;
  if (owed_cents === 0 && credit_cents === 0) return <span className="text-soft">Nothing owed</span>;
  return (
    <>
      {owed_cents > 0 && (
        <span className={cx('font-medium', overdue_cents > 0 && 'text-bad')}>
          <Money cents={owed_cents} currency={currency} />
          <span className="block text-sm font-normal">{overdue_cents > 0 ? 'overdue' : 'owed'}</span>
        </span>
      )}
      {credit_cents > 0 && (
        <span className="block text-soft">
          <Money cents={credit_cents} currency={currency} />
          <span className="block text-sm">in credit</span>
        </span>
      )}
    </>
  );
}

function NextEvent({ next_event: event, name }: Tenancy) {
  if (event === null) return none;
  return (
    <span className={above}>
      <TextLink to={`/leases/${event.lease_id}`}>
        {nextEvent[event.type]}
        <span className="sr-only">, {name}</span>
      </TextLink>
      <span className="block text-sm text-soft">
        <Day date={event.on} />
      </span>
    </span>
  );
}
