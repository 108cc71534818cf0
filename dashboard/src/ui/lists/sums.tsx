import type { ReactNode } from 'react';
import { useIsPhone } from '../media.ts';
import { formatMoney } from '../money.tsx';

interface Sum {
  key: string;
  name: ReactNode;
  cents: number;
  currency: string;
}

/** The totals of a list. On a phone they are one line, which scrolls sideways. */
export const Sums = ({ of }: { of: Sum[] }) => (
  <dl
    aria-label="Totals"
    // A scrolling area must be reachable with the keyboard.
    tabIndex={useIsPhone() ? 0 : undefined}
    className="mb-2 flex gap-x-5 overflow-x-auto [scrollbar-width:none] sm:mb-4 sm:flex-wrap sm:gap-x-8 sm:gap-y-3"
  >
    {of.map(({ key, name, cents, currency }) => (
      <div key={key} className="flex shrink-0 items-baseline gap-1.5 sm:block">
        <dt className="text-sm text-soft">{name}</dt>
        <dd className="font-semibold sm:mt-0.5 sm:text-lg">{formatMoney(cents, currency)}</dd>
      </div>
    ))}
  </dl>
);
