import { Fragment } from 'react';
import { formatMoney } from '../../ui/money.tsx';

export type Sum<Row> = [name: string, cents: (row: Row) => number | null];

/** Sums of the rows, each currency on its own. */
export function Totals<Row extends { currency: string }>({ rows, sums }: { rows: Row[]; sums: Sum<Row>[] }) {
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return (
    <dl aria-label="Totals" className="mb-4 grid grid-cols-2 gap-x-8 gap-y-3 sm:flex sm:flex-wrap">
      {currencies.map((currency) => (
        <Fragment key={currency}>
          {sums.map(([name, cents]) => (
            <div key={name}>
              <dt className="text-sm text-soft">{currencies.length > 1 ? `${name}, ${currency}` : name}</dt>
              <dd className="mt-0.5 text-lg font-semibold">
                {formatMoney(
                  rows
                    .filter((row) => row.currency === currency)
                    .reduce((sum, row) => sum + (cents(row) ?? 0), 0),
                  currency,
                )}
              </dd>
            </div>
          ))}
        </Fragment>
      ))}
    </dl>
  );
}
