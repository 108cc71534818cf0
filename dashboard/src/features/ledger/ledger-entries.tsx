import { useState } from 'react';
import type { Ledger } from '../../api/records.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { useIsPrinting } from '../../ui/media.ts';
import { formatMoney } from '../../ui/money.tsx';
import { count } from '../../ui/words.ts';
import type { Mistake } from './entry-dialogs.tsx';
import { isCharge, isOfPayment } from './ledger-queries.ts';
import { LedgerTable } from './ledger-table.tsx';

/** About a year of rent and payments. */
const shownFirst = 24;

/** The entries, newest first, and where the ledger begins. */
export function LedgerEntries({
  ledger,
  onVoid,
  withVoided,
  onWithVoided,
}: {
  ledger: Ledger;
  onVoid: ((mistake: Mistake) => void) | undefined;
  withVoided: boolean;
  onWithVoided: (withVoided: boolean) => void;
}) {
  const [isWhole, setWhole] = useState(false);
  const isPrinting = useIsPrinting();
  const { entries, currency, ledger_from } = ledger;
  const newestFirst = entries.toReversed();
  const shown = isWhole || isPrinting ? newestFirst : newestFirst.slice(0, shownFirst);
  return (
    <div>
      {entries.length === 0 ? (
        <p className="text-soft">Nothing has been charged or paid yet.</p>
      ) : (
        <LedgerTable entries={shown} currency={currency} onVoid={onVoid} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pt-2 text-sm text-soft">
        <span>The ledger begins on {formatDay(ledger_from)}.</span>
        <span className="flex flex-wrap gap-2">
          {shown.length < entries.length && (
            <Button onClick={() => setWhole(true)}>
              Show all {count(entries.length, 'entry', 'entries')}
            </Button>
          )}
          <Button kind="quiet" onClick={() => onWithVoided(!withVoided)}>
            {withVoided ? 'Hide voided' : 'Show voided'}
          </Button>
        </span>
      </div>
    </div>
  );
}

/** What does not count yet: charges that are not due, and payments and credits of later days. */
export function Upcoming({ of: { upcoming, currency } }: { of: Ledger }) {
  if (upcoming.length === 0) return null;
  return (
    <div>
      <h3 className="text-sm text-soft">Upcoming</h3>
      <ul aria-label="Upcoming">
        {upcoming.map(({ type, id, description, date, amount_cents }) => (
          <li key={`${type} ${id}`} className="flex justify-between gap-4 border-b border-line py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {isOfPayment(type) ? <TextLink to={`/payments/${id}`}>{description}</TextLink> : description}
              <span className="text-soft">
                {' '}
                · {isCharge(type) ? 'due' : 'counts from'} {formatDay(date)}
              </span>
            </span>
            <span className="figures whitespace-nowrap">
              {(type === 'payment' || type === 'credit') && '−'}
              {formatMoney(amount_cents, currency)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Entries of the lease that its ledger leaves out, and why. */
export function NotCounted({ of }: { of: Ledger['not_counted'] }) {
  if (of.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="w-fit rounded text-soft">
        {count(of.length, 'entry', 'entries')} not counted
      </summary>
      <ul aria-label="Not counted" className="mt-1">
        {of.map(({ type, id, description, date, amount_cents, currency, reason }) => (
          <li key={`${type} ${id}`} className="flex justify-between gap-4 border-b border-line py-1.5">
            <span className="min-w-0 wrap-anywhere">
              {formatDay(date)}: {description}
              <span className="text-soft"> · {reasons[reason]}</span>
            </span>
            <span className="figures whitespace-nowrap">{formatMoney(amount_cents, currency)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const reasons: Record<Ledger['not_counted'][number]['reason'], string> = {
  other_currency: 'in another currency than the lease',
  before_ledger: 'before the ledger begins',
};
