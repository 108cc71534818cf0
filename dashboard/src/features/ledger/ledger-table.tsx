import { Ban, History } from 'lucide-react';
import { Fragment, useState } from 'react';
import type { LedgerEntry, OwnVoidReason } from '../../api/records.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { Day, formatDay } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { useIsPhone } from '../../ui/media.ts';
import { formatMoney } from '../../ui/money.tsx';
import { HistoryDialog } from '../history/history-dialog.tsx';
import type { Mistake } from './entry-dialogs.tsx';
import { isOfPayment } from './ledger-queries.ts';

interface Props {
  entries: LedgerEntry[];
  currency: string;
  /** Voids a charge, a credit or a refund. Without it, nothing can be voided. */
  onVoid?: ((mistake: Mistake) => void) | undefined;
}

/** The entries of a lease, each with what it paid or what paid it, and the balance after it. */
export function LedgerTable({ entries, currency, onVoid }: Props) {
  const [looking, setLooking] = useState<LedgerEntry | null>(null);
  const columns = useIsPhone() ? cards(currency) : rows(currency);
  return (
    <>
      <Table
        label="Ledger"
        rows={entries}
        columns={[...columns, actions(currency, onVoid, setLooking)]}
        rowKey={(entry) => `${entry.type} ${entry.id}`}
        isSticky={false}
      />
      {looking && (
        <HistoryDialog
          title={nameOf(looking, currency)}
          path={`/${looking.type}s/${looking.id}`}
          currency={currency}
          onClose={() => setLooking(null)}
        />
      )}
    </>
  );
}

const paidOf = ({ paid_by }: LedgerEntry, currency: string): string | null => {
  const cents = paid_by.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  return cents > 0 ? formatMoney(cents, currency) : null;
};

const nameOf = ({ description, amount_cents }: LedgerEntry, currency: string): string =>
  `${description} (${formatMoney(amount_cents, currency)})`;

/**
 * Payments have a minus. Voided entries change nothing, but show their amount. A refund of the deposit is no part of the
 * sum, so its amount is in its description.
 */
function Amount({ entry, currency }: { entry: LedgerEntry; currency: string }) {
  const { type, increase_cents, amount_cents, voided_on } = entry;
  if (type === 'deposit_refund') return <span className="text-faint">–</span>;
  const isDebt = increase_cents > 0 || type === 'charge' || type === 'return';
  return (
    <span className={cx('whitespace-nowrap', voided_on !== null && 'text-soft line-through')}>
      {!isDebt && '−'}
      {formatMoney(amount_cents, currency)}
    </span>
  );
}

/** The longest amount, with the words beside it. Before them it may be broken, but not after its currency. */
const longest =
  (currency: string, cents: (entry: LedgerEntry) => number, inWords: (amount: string) => string) =>
  (entries: LedgerEntry[]) => [
    inWords(formatMoney(Math.max(0, ...entries.map((entry) => Math.abs(cents(entry)))), currency)),
  ];

const rows = (currency: string): Column<LedgerEntry>[] => [
  { name: 'Date', least: 6.5, className: 'align-top', cell: (entry) => <Day date={entry.date} /> },
  {
    name: 'Entry',
    least: 8,
    className: 'w-full align-top',
    cell: (entry) => <What entry={entry} currency={currency} />,
  },
  {
    name: 'Amount',
    align: 'right',
    className: 'align-top',
    amounts: longest(
      currency,
      (entry) => entry.amount_cents,
      (amount) => `−${amount}`,
    ),
    cell: (entry) => <Amount entry={entry} currency={currency} />,
  },
  {
    name: 'Balance',
    align: 'right',
    least: 6,
    className: 'align-top',
    amounts: longest(
      currency,
      (entry) => entry.balance_cents,
      (amount) => `${amount} credit`,
    ),
    cell: (entry) => <BalanceAfter entry={entry} currency={currency} />,
  },
];

const cards = (currency: string): Column<LedgerEntry>[] => [
  { name: 'Entry', phone: 'title', cell: (entry) => <What entry={entry} currency={currency} /> },
  { name: 'Date', phone: 'line', cell: (entry) => <Day date={entry.date} /> },
  {
    name: 'Amount',
    phone: 'aside',
    cell: (entry) =>
      entry.type !== 'deposit_refund' && (
        <span className="text-base font-medium">
          <Amount entry={entry} currency={currency} />
        </span>
      ),
  },
  { name: 'Balance', phone: 'aside', cell: (entry) => <BalanceAfter entry={entry} currency={currency} /> },
];

/** In words, because a sign is easily overlooked. */
function BalanceAfter({ entry, currency }: { entry: LedgerEntry; currency: string }) {
  const { balance_cents, voided_on } = entry;
  if (voided_on !== null) return null;
  if (balance_cents === 0) return <span className="text-soft">Nothing owed</span>;
  return balance_cents > 0
    ? `${formatMoney(balance_cents, currency)} owed`
    : `${formatMoney(-balance_cents, currency)} credit`;
}

function What({ entry, currency }: { entry: LedgerEntry; currency: string }) {
  const { type, id, description, amount_cents, pays, paid_by, open_cents, voided_on, void_reason } = entry;
  return (
    <div className="max-md:font-normal">
      <span className={cx('wrap-anywhere', voided_on !== null && 'text-soft line-through')}>
        {isOfPayment(type) ? <TextLink to={`/payments/${id}`}>{description}</TextLink> : description}
      </span>
      {voided_on !== null && (
        <div className="text-sm text-soft">
          Voided on {formatDay(voided_on)}
          {void_reason && `: ${inWords(void_reason)}`}
        </div>
      )}
      <Shares word="Pays" of={pays} isWhole={open_cents === 0} currency={currency} />
      <Shares word="Paid by" of={paid_by} isWhole={open_cents === 0} currency={currency} />
      {type === 'charge' && open_cents > 0 && (
        <div className="text-sm text-bad">{formatMoney(open_cents, currency)} open</div>
      )}
      {type === 'deposit_refund' && (
        <div className="text-sm text-soft">
          {formatMoney(amount_cents, currency)} of the deposit held; what is owed stays the same
        </div>
      )}
      {type !== 'charge' && open_cents > 0 && (
        <div className="text-sm text-soft">{formatMoney(open_cents, currency)} in credit</div>
      )}
    </div>
  );
}

/** The program's own reasons are single words. */
const ownReasons: Record<OwnVoidReason, string> = {
  schedule_changed: 'the lease changed',
  paid_in_time: 'the rent was paid on time',
  amount_changed: 'the amount changed',
  charge_voided: 'its rent was voided',
  lease_deleted: 'the lease was deleted',
};
const inWords = (reason: string) => ownReasons[reason as OwnVoidReason] ?? reason;

/**
 * "Paid by payment of Nov 2, 2026 $290.32 · Concession $25.00". If one other entry paid all of it, no amount is needed.
 */
function Shares(props: { word: string; of: LedgerEntry['pays']; isWhole: boolean; currency: string }) {
  const { word, of, isWhole, currency } = props;
  if (of.length === 0) return null;
  return (
    <div className="text-sm text-soft wrap-anywhere">
      {word}{' '}
      {of.map((share, at) => (
        <Fragment key={share.id}>
          {at > 0 && ' · '}
          {/* A memo may be in Arabic or Hebrew; the amount still comes after it. */}
          <bdi>{shareName(share)}</bdi>
          {!(isWhole && of.length === 1) && ` ${formatMoney(share.amount_cents, currency)}`}
        </Fragment>
      ))}
    </div>
  );
}

/** A payment is identified by its day. Its own entry says who made it. */
const shareName = ({ type, date, description }: LedgerEntry['pays'][number]): string =>
  type === 'payment' ? `payment of ${formatDay(date)}` : description;

/**
 * Actions on charges, credits and refunds. Payments have a page of their own, and a refund is in the history of its
 * lease.
 */
const actions = (
  currency: string,
  onVoid: Props['onVoid'],
  onHistory: (entry: LedgerEntry) => void,
): Column<LedgerEntry> => ({
  name: 'Actions',
  least: 5.5,
  align: 'right',
  phone: 'aside',
  isScreenOnly: true,
  className: 'align-top',
  cell: (entry) => {
    const { type, id, description, voided_on } = entry;
    if (type !== 'charge' && type !== 'credit' && type !== 'deposit_refund') return null;
    return (
      <span className="-my-1.5 flex justify-end">
        {type !== 'deposit_refund' && (
          <IconButton label={`History of ${description}`} onClick={() => onHistory(entry)}>
            <History />
          </IconButton>
        )}
        {onVoid && voided_on === null && (
          <IconButton
            label={`Void ${description}`}
            onClick={() => onVoid({ type, id, name: nameOf(entry, currency), paid: paidOf(entry, currency) })}
          >
            <Ban />
          </IconButton>
        )}
      </span>
    );
  },
});
