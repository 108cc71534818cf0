import { formatDay, today } from '../../ui/date.tsx';
import { formatMoney } from '../../ui/money.tsx';
import {
  type AfterExample,
  addDays,
  afterExample,
  type ExampleFee,
  exampleDays,
  exampleFees,
  exampleRent,
} from '../ledger/late-fee-example.ts';
import type { Policy } from '../ledger/late-fee-words.ts';

/** What a tenant who never pays would be charged, and on which day, for a rent that falls due after today. */
export function LateFeePreview({ policy, currency }: { policy: Policy | null; currency: string }) {
  const rentCents = exampleRent(currency, policy?.min_open_cents ?? 0);
  const dueOn = firstOfNextMonth(today());
  const money = (cents: number) => formatMoney(cents, currency);
  const days = exampleDays(policy?.grace_days ?? 0);
  const fees = policy && exampleFees(policy, rentCents, dueOn, days);
  return (
    <div role="status" aria-label="Example" className="rounded-lg border border-line px-4 py-3">
      <p className="font-medium">
        A rent of {money(rentCents)}, due {formatDay(dueOn)}, never paid
      </p>
      {policy === null || fees === null ? (
        <p className="mt-1 text-soft">Complete the policy to see what it charges.</p>
      ) : fees.length === 0 ? (
        <p className="mt-1 text-soft">Nothing is charged in the first {days} days.</p>
      ) : (
        <>
          <p className="mt-1 text-soft">{`Paid by ${formatDay(addDays(dueOn, policy.grace_days))}, it is on time.`}</p>
          <FeeTable fees={fees} money={money} />
          <After of={afterExample(policy, rentCents, fees)} capCents={policy.cap_cents} money={money} />
        </>
      )}
    </div>
  );
}

function FeeTable({ fees, money }: { fees: ExampleFee[]; money: (cents: number) => string }) {
  const rows = fees.map((fee, at) => ({
    ...fee,
    total: fees.slice(0, at + 1).reduce((sum, { cents }) => sum + cents, 0),
  }));
  const shown = rows.length > 5 ? rows.slice(0, 3) : rows;
  const last = rows.length > 5 ? rows.at(-1) : undefined;
  return (
    <table className="mt-2 w-full tabular-nums">
      <thead className="text-left text-sm text-soft">
        <tr>
          <th className="font-normal">Day</th>
          <th className="text-right font-normal">Late fee</th>
          <th className="text-right font-normal">In all</th>
        </tr>
      </thead>
      <tbody>
        {[...shown, ...(last ? [null, last] : [])].map((row) =>
          row === null ? (
            <tr key="between" className="text-soft">
              <td colSpan={3}>and so on, each day</td>
            </tr>
          ) : (
            <tr key={row.on}>
              <td className="py-0.5">{formatDay(row.on)}</td>
              <td className="text-right">{money(row.cents)}</td>
              <td className="text-right">{money(row.total)}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}

/** The table ends, but the fees may not. */
function After({
  of: { cappedOn, dailyCents },
  capCents,
  money,
}: {
  of: AfterExample;
  capCents: number | null;
  money: (cents: number) => string;
}) {
  if (cappedOn !== null)
    return <p className="mt-1 text-soft">The maximum is reached on {formatDay(cappedOn)}.</p>;
  if (dailyCents === 0) return null;
  return (
    <p className="mt-1 text-soft">
      …and {money(dailyCents)} for each further day:{' '}
      {capCents === null ? 'there is no maximum.' : `at most ${money(capCents)} in all.`}
    </p>
  );
}

function firstOfNextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}
