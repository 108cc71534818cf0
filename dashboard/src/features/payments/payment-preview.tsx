import type { Charge } from '../../api/records.ts';
import { cx } from '../../ui/class-names.ts';
import { formatDay } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { FittedMoney, formatMoney, widthOf } from '../../ui/money.tsx';
import { count } from '../../ui/words.ts';
import { chargeName, chargeNameAmong } from '../ledger/charge-words.ts';
import { inRows, type Share, sumOf } from './paid-by-this.ts';
import { effectOf, type Planned } from './payment-outcome.tsx';

/** A dialog has no room for all that a tenant may owe. */
const mostShown = 6;

// Long amounts are below the names: on a phone, or everywhere if not even a dialog has room for two of them.
const row =
  'max-sm:group-data-long:grid max-sm:group-data-long:grid-cols-2 group-data-longest:grid group-data-longest:grid-cols-2';
const above = 'max-sm:group-data-long:col-span-2 group-data-longest:col-span-2';
const amount =
  'max-sm:group-data-long:@container max-sm:group-data-long:pl-0 group-data-longest:@container group-data-longest:pl-0';

/** What is owed and for what, and how much of it this payment will pay. */
export function PaymentPreview(planned: Planned) {
  const { balance, charges, chosen, paidFeesCents } = planned;
  const { currency, owed_cents, credit_cents } = balance;
  const { paidOn, counts, paying, later, shares, again } = effectOf(planned);
  const money = (cents: number) => formatMoney(cents, currency);
  const unpaid = again.map((open) => ({ open, paid_cents: 0 }));
  const rows = [...inRows(shares, chosen), ...inRows(unpaid, chosen)];
  // The chosen one is shown, wherever it is in the list.
  const shown = rows.filter(([share], index) => index < mostShown || share?.open.id === chosen);
  const hidden = sumOf(rows, ({ length }) => length) - sumOf(shown, ({ length }) => length);
  return (
    <section aria-label="What this pays" className="rounded-md border border-line px-3 py-2.5">
      {owed_cents === 0 && !later ? (
        <p>Nothing is owed.{credit_cents > 0 && ` ${money(credit_cents)} is in credit.`}</p>
      ) : (
        <table
          className="group w-full text-left"
          data-long={widthOf(money(owed_cents)) > 7 || undefined}
          data-longest={widthOf(money(owed_cents)) > 9 || undefined}
        >
          <thead className="text-sm text-soft">
            <tr className={row}>
              <th scope="col" className={cx(above, 'pb-1 font-normal')}>
                {owed_cents > 0 ? `${money(owed_cents)} owed` : 'Nothing owed yet'}
              </th>
              <th scope="col" className="pb-1 pl-3 text-right font-normal">
                Open
              </th>
              <th scope="col" className="pb-1 pl-3 text-right font-normal">
                Paid by this
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((some) => (
              <Row key={some[0]?.open.id} of={some} charges={charges} money={money} />
            ))}
            {later && (
              <tr className={cx(row, 'border-t border-line align-top')}>
                <td className={cx(above, 'py-1')}>
                  <span className="wrap-anywhere">{chargeName(later)}</span>
                  <span className="block text-sm text-soft">Not due until {formatDay(later.due_on)}</span>
                </td>
                <td className={cx(amount, 'py-1 pl-3 text-right')}>
                  <FittedMoney>{money(later.open_cents)}</FittedMoney>
                </td>
                <td className={cx(amount, 'py-1 pl-3 text-right text-faint')}>–</td>
              </tr>
            )}
          </tbody>
        </table>
      )}
      {hidden > 0 && (
        <p className="border-t border-line pt-1 text-sm text-soft">and {count(hidden, 'more charge')}</p>
      )}
      {balance.pending_cents > 0 && (
        <p className="border-t border-line pt-1 text-sm text-soft">
          <TextLink to="/payments" search={{ lease_id: balance.lease_id, status: 'pending' }}>
            {money(balance.pending_cents)} pending
          </TextLink>
          : it pays nothing until it is marked as paid.
        </p>
      )}
      {later && paying > 0 && (
        <p className="mt-1 text-sm text-soft">
          {chargeName(later)} is paid first once it is due, on {formatDay(later.due_on)}.
          {owed_cents > 0 && paidOn < later.due_on && ' Until then, this payment pays what is oldest.'}
        </p>
      )}
      {counts !== 'never' && again.length > 0 && (
        <p className="mt-1 text-sm text-soft">
          Late fees charged after {formatDay(paidOn)} ({money(sumOf(again, ({ open_cents }) => open_cents))})
          are looked at again: those for rent that this payment pays on time are voided.
        </p>
      )}
      {counts !== 'never' && paidFeesCents > 0 && (
        <p className="mt-1 text-sm text-soft">
          Late fees charged after {formatDay(paidOn)} and paid already ({money(paidFeesCents)}) are looked at
          again, too: if one is voided, what paid it pays what else is owed, or becomes credit.
        </p>
      )}
    </section>
  );
}

/** A charge, or all fees for a rent. */
function Row({ of, charges, money }: { of: Share[]; charges: Charge[]; money: (cents: number) => string }) {
  const [first] = of;
  const charge = charges.find(({ id }) => id === first?.open.id);
  const paid_cents = sumOf(of, (share) => share.paid_cents);
  return (
    <tr className={cx(row, 'border-t border-line align-top')}>
      <td className={cx(above, 'py-1')}>
        <span className="wrap-anywhere">
          {charge ? chargeNameAmong(charges, charge, of.length) : 'Opening balance'}
        </span>
        <span className="block text-sm text-soft">{dueWords(of)}</span>
      </td>
      <td className={cx(amount, 'py-1 pl-3 text-right')}>
        <FittedMoney>{money(sumOf(of, ({ open }) => open.open_cents))}</FittedMoney>
      </td>
      <td className={cx(amount, 'py-1 pl-3 text-right font-medium')}>
        {paid_cents > 0 ? (
          <FittedMoney>{money(paid_cents)}</FittedMoney>
        ) : (
          <span className="text-faint">–</span>
        )}
      </td>
    </tr>
  );
}

function dueWords(shares: Share[]): string {
  const [from, to] = [shares[0]?.open.due_on, shares.at(-1)?.open.due_on];
  if (!from || !to) return 'From before the ledger began';
  return `Due ${formatDay(from)}${to === from ? '' : ` to ${formatDay(to)}`}`;
}
