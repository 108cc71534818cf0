import type { ReactNode } from 'react';
import { formatMoney } from '../money.tsx';

interface Sum {
  key: string;
  name: ReactNode;
  cents: number;
  currency: string;
}

/** The totals of a list. */
export const Sums = ({ of }: { of: Sum[] }) => (
  <dl aria-label="Totals" className="mb-4 grid grid-cols-2 gap-x-8 gap-y-3 sm:flex sm:flex-wrap">
    {of.map(({ key, name, cents, currency }) => (
      <div key={key}>
        <dt className="text-sm text-soft">{name}</dt>
        <dd className="mt-0.5 text-lg font-semibold">{formatMoney(cents, currency)}</dd>
      </div>
    ))}
  </dl>
);
