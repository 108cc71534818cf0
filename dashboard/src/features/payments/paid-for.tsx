import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import type { Ledger, LedgerEntry, Payment } from '../../api/records.ts';
import { Day, today } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { nothingMoreFallsDue } from '../ledger/ledger-queries.ts';

/** What a payment pays of its lease, according to today's ledger. */
export function PaidFor({ payment }: { payment: Payment }) {
  const { lease_id, status, paid_on } = payment;
  const counts = lease_id !== null && status === 'paid' && paid_on <= today();
  const path = `/leases/${lease_id}/ledger`;
  const filter = { from: paid_on };
  const query = useQuery({
    queryKey: [path, today(), filter],
    queryFn: ({ signal }) => get<Ledger>(path, filter, signal),
    enabled: counts,
  });
  return (
    <Section
      title="Pays"
      actions={lease_id && <TextLink to={`/leases/${lease_id}`}>Open the ledger</TextLink>}
    >
      {counts ? (
        <Loaded query={query} waiting={<Skeleton count={3} />}>
          {(ledger) => {
            const { entries, not_counted } = ledger;
            const entry = entries.find(({ type, id }) => type === 'payment' && id === payment.id);
            if (entry) return <Shares of={entry} ledger={ledger} />;
            const left = not_counted.find(({ id }) => id === payment.id);
            return (
              <Nothing>
                {left?.reason === 'other_currency'
                  ? 'Nothing: it is in another currency than the lease.'
                  : 'Nothing: it was paid before the ledger of the lease begins.'}
              </Nothing>
            );
          }}
        </Loaded>
      ) : (
        <Nothing>{whyNothing(payment)}</Nothing>
      )}
    </Section>
  );
}

function whyNothing({ lease_id, status }: Payment): string {
  if (lease_id === null) return 'Nothing: it belongs to no lease.';
  if (status === 'pending') return 'Nothing yet: it counts once it is paid.';
  return status === 'paid' ? 'Nothing yet: its day has not come.' : 'Nothing: the money did not stay.';
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="border-t border-line pt-3 text-soft">{children}</p>
);

function Shares({ of: { pays, open_cents }, ledger }: { of: LedgerEntry; ledger: Ledger }) {
  const { currency } = ledger;
  return (
    <ul aria-label="Pays" className="border-t border-line">
      {pays.map(({ id, description, date, amount_cents }) => (
        <Share key={id} cents={amount_cents} currency={currency}>
          {description}
          <span className="text-soft">
            {' · due '}
            <Day date={date} />
          </span>
        </Share>
      ))}
      {open_cents > 0 && (
        <Share cents={open_cents} currency={currency}>
          In credit
          <span className="text-soft">
            {nothingMoreFallsDue(ledger) ? ' · nothing more falls due' : ' · pays what falls due next'}
          </span>
        </Share>
      )}
    </ul>
  );
}

const Share = ({ cents, currency, children }: { cents: number; currency: string; children: ReactNode }) => (
  <li className="flex justify-between gap-4 border-b border-line py-2">
    <span className="min-w-0 wrap-anywhere">{children}</span>
    <span className="figures whitespace-nowrap">{formatMoney(cents, currency)}</span>
  </li>
);
