import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError, get, type Query } from '../../api/client.ts';
import { inPlainWords } from '../../api/plain-words.ts';
import type { LeaseChangePreview } from '../../api/records.ts';
import { messageOf } from '../../api/writes.ts';
import { cx } from '../../ui/class-names.ts';
import { formatDay, today } from '../../ui/date.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { type Fact, Facts } from '../../ui/records/facts.tsx';
import { useSettled } from '../../ui/settled.ts';
import { Skeleton } from '../../ui/states.tsx';
import { count } from '../../ui/words.ts';
import { chargeName } from '../ledger/charge-words.ts';

/** How long to wait after the last key before asking what would be charged. */
const pauseMs = 250;

/**
 * Asks what a change of a lease would charge and void, if it is whole, and why it would be refused. `isReady` is false
 * until there is an answer about what is in the fields: nobody should agree to the figures of another day.
 */
export function useChangePreview(path: string, change: Query, isWhole: boolean) {
  const asked = JSON.stringify(change);
  const settled = useSettled(asked, pauseMs);
  const query: Query = JSON.parse(settled);
  const { data, error, isPlaceholderData, isPending } = useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => get<LeaseChangePreview>(path, query, signal),
    placeholderData: keepPreviousData,
    retry: false,
    enabled: isWhole,
  });
  const isOld = isWhole && (settled !== asked || isPlaceholderData);
  return {
    preview: isWhole ? { data, isOld, refusal: error && !isOld ? refusalOf(error) : null } : null,
    isReady: !isWhole || (!isOld && (!isPending || !!error)),
  };
}

/** What is wrong in a field is told in its own words: the field is above. */
function refusalOf(error: Error): string {
  const [text] = error instanceof ApiError ? Object.values(error.fieldErrors).flat() : [];
  return text === undefined ? messageOf(error) : inPlainWords(text);
}

interface Props {
  of: ReturnType<typeof useChangePreview>['preview'];
  lastDay: string;
  /** What is said if the change adds and voids no charges. */
  none: string;
}

/**
 * What a change of a lease would charge and void, and what would then be owed and held; or why it would be refused.
 */
export function ChangePreview({ of, lastDay, none }: Props) {
  if (of === null) return null;
  const { data, isOld, refusal } = of;
  if (refusal !== null)
    return (
      <p role="status" className="rounded-md border border-warn px-3 py-2.5">
        {refusal}
      </p>
    );
  return (
    <section
      aria-label="What this changes"
      aria-busy={isOld}
      className={cx('rounded-md border border-line px-3 py-2.5', isOld && 'opacity-60 transition-opacity')}
    >
      {data ? <Changes of={data} lastDay={lastDay} none={none} /> : <Skeleton count={4} />}
    </section>
  );
}

function Changes({ of, lastDay, none }: { of: LeaseChangePreview } & Omit<Props, 'of'>) {
  const { currency, charges, voids, deposit_held_cents } = of;
  // Only what is due today is part of the balance.
  const isDue = ({ due_on }: { due_on: string }) => due_on <= today();
  return (
    <div className="flex flex-col gap-3">
      {charges.length + voids.length === 0 && <p>{none}</p>}
      <ChargeRows title="Will be charged" charges={charges} currency={currency} />
      <ChargeRows title="Will be voided" charges={voids.filter(isDue)} currency={currency} />
      <ChargeRows
        title="Will be voided before it is due"
        charges={voids.filter((charge) => !isDue(charge))}
        currency={currency}
      />
      <Facts of={[...balances(of, lastDay), ['Deposit held', formatMoney(deposit_held_cents, currency)]]} />
    </div>
  );
}

/** Together with what is charged and voided, these lines add up to the last one. */
function balances(of: LeaseChangePreview, lastDay: string): Fact[] {
  const { currency, unchanged_count, unchanged_cents, later_payments_cents, final_balance_cents } = of;
  return [
    ['Balance today', owedOrCredit(of.balance_cents, currency)],
    [
      'Charged until then in any case',
      unchanged_count > 0 && `${count(unchanged_count, 'charge')}, ${formatMoney(unchanged_cents, currency)}`,
    ],
    [
      'Payments and credits that count by then',
      later_payments_cents !== 0 && takenOff(later_payments_cents, currency),
    ],
    [
      lastDay,
      <>
        {owedOrCredit(final_balance_cents, currency)}
        {final_balance_cents > 0 && (
          <span className="text-soft"> if nothing more is paid, without late fees still to come</span>
        )}
      </>,
    ],
  ];
}

/** What was paid today may be returned by then. */
const takenOff = (cents: number, currency: string): string =>
  `${cents > 0 ? '−' : '+'}${formatMoney(Math.abs(cents), currency)}`;

function owedOrCredit(cents: number, currency: string): string {
  if (cents === 0) return 'Nothing owed';
  return cents > 0 ? `${formatMoney(cents, currency)} owed` : `${formatMoney(-cents, currency)} in credit`;
}

const mostShown = 4;

function ChargeRows({
  title,
  charges,
  currency,
}: {
  title: string;
  charges: LeaseChangePreview['charges'];
  currency: string;
}) {
  if (charges.length === 0) return null;
  const total = charges.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return (
    <div>
      <h3 className="text-sm text-soft">{title}</h3>
      <ul aria-label={title}>
        {charges.slice(0, mostShown).map((charge, at) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two rents may be fined the same on one day.
            key={`${charge.kind} ${charge.due_on} ${at}`}
            className="flex justify-between gap-3 border-b border-line py-1"
          >
            <span className="min-w-0">
              {chargeName({ ...charge, memo: null })}
              <span className="text-soft"> · due {formatDay(charge.due_on)}</span>
            </span>
            <span className="figures whitespace-nowrap">{formatMoney(charge.amount_cents, currency)}</span>
          </li>
        ))}
      </ul>
      {charges.length > mostShown && (
        <p className="pt-1 text-sm text-soft">
          and {count(charges.length - mostShown, 'more charge')}, {formatMoney(total, currency)} in all
        </p>
      )}
    </div>
  );
}
