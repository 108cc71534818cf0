import type { ReactNode } from 'react';
import type { Ledger } from '../../api/records.ts';
import { cx } from '../../ui/class-names.ts';
import { formatDay } from '../../ui/date.tsx';
import { FittedMoney, formatMoney } from '../../ui/money.tsx';
import { count } from '../../ui/words.ts';
import { nothingMoreFallsDue } from './ledger-queries.ts';

/** What a lease owes and, separately, what it has in credit: the two are never one figure. */
export function BalanceFigures({ ledger }: { ledger: Ledger }) {
  const { currency, credit_cents, deposit_held_cents } = ledger;
  const pending = ledger.pending.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return (
    <dl aria-label="Balance" className="grid grid-cols-2 gap-x-10 gap-y-3 sm:flex sm:flex-wrap">
      <Figure name="Owed" cents={ledger.open_cents} currency={currency} isBad={ledger.overdue_cents > 0}>
        {howLate(ledger)}
      </Figure>
      {credit_cents > 0 && (
        <Figure name="In credit" cents={credit_cents} currency={currency}>
          {nothingMoreFallsDue(ledger) ? 'Nothing more falls due' : 'Pays what falls due next'}
        </Figure>
      )}
      {pending > 0 && (
        <Figure name="Pending" cents={pending} currency={currency}>
          Counts once it is paid
        </Figure>
      )}
      {deposit_held_cents > 0 && (
        <Figure name="Deposit held" cents={deposit_held_cents} currency={currency} />
      )}
    </dl>
  );
}

function howLate({ open_cents, overdue_cents, entries, to }: Ledger): string {
  if (open_cents === 0) return 'Nothing to pay';
  const oldest = entries.find((entry) => entry.increase_cents > 0 && entry.open_cents > 0);
  if (overdue_cents === 0 || !oldest) return 'Due today';
  const days = (Date.parse(to) - Date.parse(oldest.date)) / 86_400_000;
  return `Since ${formatDay(oldest.date)}, ${count(days, 'day')} late`;
}

function Figure(props: {
  name: string;
  cents: number;
  currency: string;
  isBad?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="min-w-0 max-sm:@container">
      <dt className="text-sm text-soft">{props.name}</dt>
      <dd className={cx('mt-0.5 text-xl font-semibold', props.isBad && 'text-bad')}>
        <FittedMoney>{formatMoney(props.cents, props.currency)}</FittedMoney>
      </dd>
      {props.children && <dd className="text-sm text-soft">{props.children}</dd>}
    </div>
  );
}
