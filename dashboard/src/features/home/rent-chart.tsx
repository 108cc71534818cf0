import type { Home } from '../../api/records.ts';
import { formatMonth, formatShortMonth } from '../../ui/date.tsx';
import { formatMoney, formatShortMoney } from '../../ui/money.tsx';

type Month = Home['months'][number];

/*
 * Two bars a month are a few boxes. Without a chart library the page saves 106 kB of gzipped script, and the bars fit
 * any width without being measured.
 */

/** What was due in each month and what was collected of it, and the same as a table for screen readers. */
export function RentChart({ months, currency }: { months: Month[]; currency: string }) {
  const most = Math.max(...months.flatMap((month) => [month.expected_cents, month.collected_cents]));
  if (most <= 0)
    return <p className="border-t border-line pt-3 text-soft">Nothing has been due in these months.</p>;
  const steps = scale(most);
  const top = steps.at(-1) ?? most;
  return (
    <figure>
      <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 pt-2">
        <div className="relative h-52 text-right text-xs text-soft">
          {/* Gives the column the width of its longest figure, which need not be the top one: $750K is below $1M. */}
          <span className="invisible grid">
            {steps.map((step) => (
              <span key={step} className="col-start-1 row-start-1">
                {formatShortMoney(step, currency)}
              </span>
            ))}
          </span>
          {steps.map((step) => (
            <span
              key={step}
              className="absolute right-0 translate-y-1/2"
              style={{ bottom: share(step, top) }}
            >
              {formatShortMoney(step, currency)}
            </span>
          ))}
        </div>
        <div className="relative h-52">
          {steps.map((step) => (
            <div
              key={step}
              className={
                step === 0
                  ? 'absolute inset-x-0 border-t border-line-strong'
                  : 'absolute inset-x-0 border-t border-line'
              }
              style={{ bottom: share(step, top) }}
            />
          ))}
          <div className="absolute inset-0 flex">
            {months.map((month) => (
              <Column key={month.month} month={month} top={top} currency={currency} />
            ))}
          </div>
        </div>
        <div className="col-start-2 flex pt-2 text-center text-xs text-soft">
          {months.map(({ month }, index) => (
            <span key={month} className="flex-1">
              {/* A phone has room for every other name. */}
              <span className={(months.length - 1 - index) % 2 ? 'max-sm:hidden' : ''}>
                {formatShortMonth(month)}
              </span>
            </span>
          ))}
        </div>
      </div>
      <figcaption className="mt-4 flex gap-5 text-sm text-soft">
        <Key className="bg-line-strong" word="Expected" />
        <Key className="bg-accent" word="Collected" />
      </figcaption>
      <div className="sr-only">
        <Figures months={months} currency={currency} />
      </div>
    </figure>
  );
}

function Column({ month, top, currency }: { month: Month; top: number; currency: string }) {
  return (
    <div className="group relative flex flex-1 items-end justify-center gap-0.5 hover:bg-hover">
      <div
        className="w-[36%] max-w-6 rounded-t-xs bg-line-strong"
        style={{ height: share(month.expected_cents, top) }}
      />
      <div
        className="w-[36%] max-w-6 rounded-t-xs bg-accent"
        style={{ height: share(month.collected_cents, top) }}
      />
      <div className="pointer-events-none absolute bottom-full left-1/2 z-10 mb-1 hidden w-max -translate-x-1/2 rounded-md border border-line bg-raised px-3 py-2 text-sm shadow-pop group-first:left-0 group-first:translate-x-0 group-last:right-0 group-last:left-auto group-last:translate-x-0 sm:group-hover:block">
        <div className="mb-1 font-medium">{formatMonth(month.month)}</div>
        <div className="grid grid-cols-[auto_auto] gap-x-4">
          <span className="text-soft">Collected</span>
          <span className="text-right">{formatMoney(month.collected_cents, currency)}</span>
          <span className="text-soft">Expected</span>
          <span className="text-right">{formatMoney(month.expected_cents, currency)}</span>
          <span className="text-soft">Still owed</span>
          <span className="text-right">{formatMoney(month.owed_cents, currency)}</span>
        </div>
      </div>
    </div>
  );
}

const share = (part: number, whole: number) => `${(part / whole) * 100}%`;

/** Four or five round steps from zero to just above the maximum. */
function scale(most: number): number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

const Key = ({ className, word }: { className: string; word: string }) => (
  <span className="inline-flex items-center gap-2">
    <span aria-hidden="true" className={`size-2.5 rounded-xs ${className}`} />
    {word}
  </span>
);

function Figures({ months, currency }: { months: Month[]; currency: string }) {
  return (
    <table>
      <caption>Charges over 12 months</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Expected</th>
          <th scope="col">Collected</th>
          <th scope="col">Still owed</th>
        </tr>
      </thead>
      <tbody>
        {months.map((month) => (
          <tr key={month.month}>
            <th scope="row">{formatMonth(month.month)}</th>
            <td>{formatMoney(month.expected_cents, currency)}</td>
            <td>{formatMoney(month.collected_cents, currency)}</td>
            <td>{formatMoney(month.owed_cents, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
