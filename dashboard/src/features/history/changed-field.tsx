import type { ReactNode } from 'react';
import { plainName } from '../../api/plain-words.ts';
import type { HistoryEntry } from '../../api/records.ts';
import { formatDay, formatMoment } from '../../ui/date.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { isNamed, NameOf } from './name-of.tsx';

type Change = NonNullable<HistoryEntry['changes']>[number];

/** A field before and after a change. */
export function ChangedField({ change, currency }: { change: Change; currency: string | undefined }) {
  const { field, from, to } = change;
  // Nobody is shown a secret.
  if (field === 'secret') return <li>Secret replaced</li>;
  const isNew = from === null || from === undefined;
  if (isNew && to === null)
    return <li className="text-soft">{plainName(field)} was changed, and erased since</li>;
  return (
    <li className="wrap-anywhere">
      <span className="text-soft">{plainName(field)}:</span>{' '}
      {!isNew && (
        <>
          <del className="text-soft">
            <Value field={field} value={from} currency={currency} />
          </del>{' '}
          <span aria-hidden="true">→</span>{' '}
        </>
      )}
      <Value field={field} value={to} currency={currency} />
    </li>
  );
}

function Value({
  field,
  value,
  currency,
}: {
  field: string;
  value: unknown;
  currency: string | undefined;
}): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="text-faint">none</span>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number')
    return field.endsWith('_cents') && currency ? formatMoney(value, currency) : String(value);
  if (typeof value === 'string') return <Text text={value} />;
  if (Array.isArray(value))
    return value.length === 0 ? (
      <span className="text-faint">none</span>
    ) : (
      <List of={value} currency={currency} />
    );
  return <Fields of={value as Record<string, unknown>} currency={currency} />;
}

const List = ({ of, currency }: { of: unknown[]; currency: string | undefined }) =>
  of.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what happened once stays in its order
    <span key={at}>
      {at > 0 && ', '}
      <Value field="" value={item} currency={currency} />
    </span>
  ));

/** The lease that a tenant is shown with, or a late fee: by its name if it has one, or else by its contents. */
function Fields({ of, currency }: { of: Record<string, unknown>; currency: string | undefined }) {
  if (typeof of.name === 'string') return of.name;
  const own = typeof of.currency === 'string' ? of.currency : currency;
  const said = Object.entries(of).filter(
    ([name, value]) => value !== null && !isHidden.has(name) && typeof value !== 'object',
  );
  return said.map(([name, value], at) => (
    <span key={name}>
      {at > 0 && ', '}
      {plainName(name).toLowerCase()} <Value field={name} value={value} currency={own} />
    </span>
  ));
}

/** Fields that people have no use for. */
const isHidden = new Set(['id', 'lease_id', 'currency', 'amount', 'source', 'created_at', 'updated_at']);

const leaseId = /^lease_[0-9a-f]{32}$/;

function Text({ text }: { text: string }): ReactNode {
  const [, prefix = ''] = /^([a-z]+)_[0-9a-f]{32}$/.exec(text) ?? [];
  if (isNamed(prefix)) return <NameOf prefix={prefix} id={text} />;
  if (leaseId.test(text)) return <TextLink to={`/leases/${text}`}>a lease</TextLink>;
  if (prefix) return 'another record';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return formatDay(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formatMoment(text);
  // A word of the API, such as in_progress.
  return /^[a-z]+(_[a-z]+)+$/.test(text) ? text.replaceAll('_', ' ') : text;
}
