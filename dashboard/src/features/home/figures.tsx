import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Home } from '../../api/records.ts';
import { cx } from '../../ui/class-names.ts';
import { formatMonth, lastDayOf } from '../../ui/date.tsx';
import { FittedMoney, formatMoney } from '../../ui/money.tsx';
import { count, lived, maintenancePriority, optionsOf } from '../../ui/words.ts';
import { endingSoon } from '../leases/ending-soon.ts';
import { Priority } from '../maintenance/priority.tsx';
import { Bar } from '../properties/occupancy.tsx';

/** Five figures about how the properties are doing. Each leads to the list that it counts. */
export function Figures({ home }: { home: Home }) {
  const { month, occupancy, overdue, open_repairs: repairs, leases_ending: ending, currency } = home;
  const collectedShare = month.expected_cents > 0 ? month.collected_cents / month.expected_cents : 0;
  const occupiedShare = occupancy.units > 0 ? occupancy.occupied / occupancy.units : 0;
  const debts = [overdue, ...overdue.other_currencies].filter(({ leases }) => leases > 0);
  return (
    <section
      aria-label="Figures"
      className="grid grid-cols-2 gap-x-6 gap-y-6 border-y border-line py-5 sm:gap-x-8 xl:grid-cols-[1.4fr_1fr_1fr_1fr_1fr] max-xl:[&>:first-child]:col-span-2"
    >
      <Figure
        name={`Charges due in ${formatMonth(month.month)}`}
        value={formatMoney(month.collected_cents, currency)}
        to="/reports/rent-collected"
        search={{ from: `${month.month}-01`, to: lastDayOf(month.month), by: 'property' }}
      >
        <Bar share={collectedShare} className="my-2 w-full" />
        <MonthInWords of={month} currency={currency} />
        {home.other_currencies.map((other) => (
          <div key={other.currency}>
            {formatMoney(other.collected_cents, other.currency)}{' '}
            <MonthInWords of={other} currency={other.currency} />
          </div>
        ))}
      </Figure>
      <Figure
        name="Overdue"
        value={formatMoney(overdue.total_cents, currency)}
        isBad={overdue.total_cents > 0}
        to="/overdue"
      >
        {debts.length === 0 && 'Nobody is late'}
        {debts.map((debt) => (
          <div key={debt.currency}>
            {debt !== overdue && `${formatMoney(debt.total_cents, debt.currency)}, `}
            {count(debt.leases, 'lease')}
          </div>
        ))}
      </Figure>
      <Figure name="Occupancy" value={percent.format(occupiedShare)} to="/units">
        <Bar share={occupiedShare} className="my-2 w-full" />
        <Part to="/units" search={{ status: lived }}>
          {occupancy.occupied.toLocaleString()} of {occupancy.units.toLocaleString()} units occupied
        </Part>
        {occupancy.vacant > 0 && (
          <>
            {', '}
            <Part to="/units" search={{ status: 'vacant' }}>
              {occupancy.vacant.toLocaleString()} vacant
            </Part>
          </>
        )}
        {occupancy.offline > 0 && (
          <>
            {', '}
            <Part to="/units" search={{ status: 'offline' }}>
              {occupancy.offline.toLocaleString()} offline
            </Part>
          </>
        )}
      </Figure>
      <Figure
        name="Open repairs"
        value={repairs.total.toLocaleString()}
        to="/maintenance"
        search={{ status: 'unfinished' }}
      >
        <ul className="mt-1 flex flex-wrap gap-x-4">
          {optionsOf(maintenancePriority)
            .filter(({ value }) => repairs.by_priority[value] > 0)
            .map(({ value }) => (
              <li key={value}>
                <Part to="/maintenance" search={{ status: 'unfinished', priority: value }}>
                  <Priority
                    of={value}
                    word={`${repairs.by_priority[value].toLocaleString()} ${maintenancePriority[value].word.toLowerCase()}`}
                  />
                </Part>
              </li>
            ))}
          {repairs.total === 0 && <li>No open repairs</li>}
        </ul>
      </Figure>
      <Figure name="Leases ending" value={ending.total.toLocaleString()} to="/leases" search={endingSoon()}>
        within 60 days
      </Figure>
    </section>
  );
}

const MonthInWords = ({ of, currency }: { of: Rent; currency: string }) => (
  <>
    of {formatMoney(of.expected_cents, currency)} collected, {formatMoney(of.owed_cents, currency)} still owed
    {of.owed_cents > 0 && ', including what is not due yet'}
  </>
);

type Rent = Pick<Home['month'], 'expected_cents' | 'owed_cents'>;

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

/** A figure in the small print, with a link of its own above the link that covers the whole tile. */
const Part = ({
  to,
  search,
  children,
}: {
  to: string;
  search: Record<string, string>;
  children: ReactNode;
}) => (
  <Link to={to} search={search as never} className="relative z-1 hover:text-ink hover:underline">
    {children}
  </Link>
);

function Figure({
  name,
  value,
  isBad,
  to,
  search,
  children,
}: {
  name: string;
  value: string;
  isBad?: boolean;
  to: string;
  search?: Record<string, string>;
  children: ReactNode;
}) {
  return (
    <div className="relative min-w-0 rounded-md">
      <Link
        to={to}
        search={(search ?? {}) as never}
        className="group block after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-accent"
      >
        <span className="block truncate text-sm text-soft group-hover:text-ink">{name}</span>
        <span
          className={cx(
            '@container mt-1 block text-2xl leading-8 font-semibold tracking-[-0.02em]',
            isBad && 'text-bad',
          )}
        >
          <FittedMoney>{value}</FittedMoney>
        </span>
      </Link>
      <div className="text-sm text-soft wrap-break-word">{children}</div>
    </div>
  );
}
