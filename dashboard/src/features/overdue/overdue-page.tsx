import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.ts';
import type { AgingRow, Balance } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ImportLink, useHasRows, useIsBare } from '../../ui/lists/bare.tsx';
import { moneyColumn } from '../../ui/lists/columns.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, SearchFilter, Segments, SortSelect, useFilters } from '../../ui/lists/filters.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { PagedList } from '../../ui/lists/record-list.tsx';
import { Sums } from '../../ui/lists/sums.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { useIsPhone } from '../../ui/media.ts';
import { breakable, formatMoney, formatShortMoney, Money, widthOf } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { SaveView } from '../../ui/views/save-view.tsx';
import { Views } from '../../ui/views/views.tsx';
import { count } from '../../ui/words.ts';
import { RecordMany, type ToRecord } from '../payments/record-many.tsx';
import { RecordPayment } from '../payments/record-payment.tsx';

/** What the page shows: only what is overdue, or all that is owed. */
type Shown = 'overdue' | 'owed';

const shown = [
  { value: undefined, label: 'Overdue' },
  { value: 'owed', label: 'Including due today' },
];

/** Who owes what, and since when; the oldest debt first. */
export function OverduePage() {
  const { filters, control, clear } = useFilters(['q', 'property_id', 'show']);
  const [paying, setPaying] = useState<Balance | null>(null);
  const isAll = filters.show === 'owed';
  const { q, property_id } = filters;
  const isFiltered = !!(q || property_id);
  const filter = { q, property_id, ...(isAll ? { owing: 'true' } : { overdue: 'true' }) };
  const canWrite = useCanWrite();
  const isBare = useIsBare('balances', filter, !isFiltered, 'leases');
  // If nobody is late there is nothing to view, and no need to ask.
  const isViewed = useHasRows('balances', filter) || isFiltered;
  const view: Shown = isAll ? 'owed' : 'overdue';
  const columns = (useIsPhone() ? cardColumns : tableColumns)[view];
  const [payer] = paying?.tenants ?? [];
  return (
    <Page
      title="Overdue"
      isList
      about="Everyone who owes you money, including former tenants. The oldest debt comes first."
      actions={isViewed && <ExportLink path="/balances" filter={filter} />}
    >
      {isViewed && <Views list="overdue" />}
      {!isBare && (
        <FilterBar onClear={isFiltered ? clear : undefined} save={isViewed && <SaveView list="overdue" />}>
          <SearchFilter label="Search" {...control('q')} />
          <Segments label="Show" options={shown} {...control('show')} />
          <PropertyFilter {...control('property_id')} />
          <SortSelect columns={columns} />
        </FilterBar>
      )}
      {!q && <Totals of={view} propertyId={property_id} />}
      <PagedList
        noun="balances"
        label="Overdue"
        filter={filter}
        columns={canWrite ? [...columns, payColumn(setPaying)] : columns}
        rowKey={(row) => row.lease_id}
        rowLink={(row) => `/leases/${row.lease_id}`}
        actions={
          canWrite
            ? (chosen) => (
                <RecordMany
                  chosen={chosen}
                  toRecord={owedBy}
                  isAllOwed
                  what={isAll ? 'all that is owed' : 'all that is owed, due today included,'}
                />
              )
            : undefined
        }
        isFiltered={isFiltered}
        empty={
          <Empty
            title={isAll ? 'Nobody owes you anything' : 'Nobody is late'}
            actions={isBare && canWrite && <ImportLink />}
          >
            Tenants appear here the day after their rent was due.
          </Empty>
        }
      />
      {paying && (
        <RecordPayment
          {...(payer ? { payer: { value: payer.id, label: payer.name } } : {})}
          leaseId={paying.lease_id}
          onClose={() => setPaying(null)}
        />
      )}
    </Page>
  );
}

type Amounts = Pick<
  Balance,
  | 'owed_cents'
  | 'overdue_cents'
  | 'days_0_30_cents'
  | 'days_31_60_cents'
  | 'days_61_90_cents'
  | 'days_91_cents'
>;
type Named = [name: string, cents: (row: Amounts) => number];

const dueToday = (row: Amounts) => row.owed_cents - row.overdue_cents;

const older: Named[] = [
  ['31–60 days', (row) => row.days_31_60_cents],
  ['61–90 days', (row) => row.days_61_90_cents],
  ['91+ days', (row) => row.days_91_cents],
];
/** They add up to what is shown, so the first one has what is due today only where that is shown. */
const ages: Record<Shown, Named[]> = {
  overdue: [['1–30 days', (row) => row.days_0_30_cents - dueToday(row)], ...older],
  owed: [['0–30 days', (row) => row.days_0_30_cents], ...older],
};

const whole: Record<Shown, Named> = {
  overdue: ['Overdue', (row) => row.overdue_cents],
  owed: ['Owed', (row) => row.owed_cents],
};

const totals: Record<Shown, Named[]> = {
  overdue: [whole.overdue],
  owed: [whole.owed, whole.overdue, ['Due today', dueToday]],
};

/** The sums of all leases, each currency separately. */
function Totals({ of, propertyId }: { of: Shown; propertyId: string | undefined }) {
  const { data = [] } = useQuery({
    queryKey: ['/reports/aging'],
    queryFn: ({ signal }) => get<AgingRow[]>('/reports/aging', { by: 'property' }, signal),
  });
  const rows = data.filter(({ property }) => !propertyId || property?.id === propertyId);
  const [, shownCents] = whole[of];
  const owing = rows.filter((row) => shownCents(row) > 0);
  const currencies = [...new Set(owing.map(({ currency }) => currency))].sort();
  const sums = currencies.flatMap((currency) =>
    [...totals[of], ...ages[of]].map(([name, cents]) => ({
      key: `${name} ${currency}`,
      name: currencies.length > 1 ? `${name}, ${currency}` : name,
      cents: owing.reduce((sum, row) => sum + (row.currency === currency ? cents(row) : 0), 0),
      currency,
    })),
  );
  return sums.length > 0 && <Sums of={sums.filter(({ cents }) => cents > 0)} />;
}

const names = ({ tenants }: Balance) => tenants.map(({ name }) => name).join(', ');
const place = ({ property, unit }: Balance) => `${property.name}, ${unit.name}`;
const late = ({ days_late }: Balance) => (days_late > 0 ? count(days_late, 'day') : 'Due today');
const former = ({ lease }: Balance) =>
  lease.status === 'ended' && (
    <>
      {' '}
      <span className="inline-block text-sm font-normal text-soft">Former</span>
    </>
  );

/** It is still overdue, but perhaps only until it is marked as paid. */
const pending = ({ pending_cents, currency }: Balance) =>
  pending_cents > 0 && `${formatMoney(pending_cents, currency)} pending`;

const owedBy = (row: Balance): ToRecord[] => {
  const [payer] = row.tenants;
  return payer === undefined || row.owed_cents <= 0
    ? []
    : [
        {
          key: row.lease_id,
          name: `${names(row)}, ${place(row)}`,
          tenantId: payer.id,
          leaseId: row.lease_id,
          amountCents: row.owed_cents,
          currency: row.currency,
        },
      ];
};

const tableColumnsOf = (of: Shown): Column<Balance>[] => [
  {
    name: 'Tenants',
    cell: (row) => (
      <>
        {names(row)}
        {former(row)}
        {row.pending_cents > 0 && <span className="block text-sm font-normal text-soft">{pending(row)}</span>}
      </>
    ),
  },
  { name: 'Unit', cell: place },
  { name: 'Late', align: 'right', width: 6, className: 'whitespace-nowrap', cell: late },
  ...ages[of].map(([name, cents]) =>
    moneyColumn<Balance>(name, cents, {
      isExtra: true,
      width: 5.75,
      className: 'text-soft',
      amounts: (rows) => rows.map((row) => ageText(cents(row), row.currency)),
      cell: (row) => <Age cents={cents(row)} currency={row.currency} />,
    }),
  ),
  moneyColumn<Balance>(...whole[of], { className: 'font-medium' }),
];
const tableColumns = { overdue: tableColumnsOf('overdue'), owed: tableColumnsOf('owed') };

/**
 * In em, as much as fits into one of the four narrow columns. The whole of a longer amount is in the column of what is
 * owed.
 */
const mostOfAge = 5.9;

function ageText(cents: number, currency: string): string {
  const amount = formatMoney(cents, currency);
  return breakable(widthOf(amount) <= mostOfAge ? amount : formatShortMoney(cents, currency));
}

function Age({ cents, currency }: { cents: number; currency: string }) {
  if (cents === 0) return <Money cents={null} currency={currency} />;
  return <span title={formatMoney(cents, currency)}>{ageText(cents, currency)}</span>;
}

const cardColumnsOf = (of: Shown): Column<Balance>[] => [
  { name: 'Tenants', phone: 'title', cell: names },
  {
    name: 'Unit',
    phone: 'line',
    cell: (row) => (row.lease.status === 'ended' ? `${place(row)} (former)` : place(row)),
  },
  { name: 'Pending', phone: 'line', cell: pending },
  { name: 'Ages', phone: 'line', cell: (row) => agesInWords(row, of) },
  {
    name: whole[of][0],
    phone: 'aside',
    cell: (row) => (
      <span className="text-base font-medium">{formatMoney(whole[of][1](row), row.currency)}</span>
    ),
  },
  {
    name: 'Late',
    phone: 'aside',
    cell: (row) => (row.days_late > 0 ? `${late(row)} late` : late(row)),
  },
];
const cardColumns = { overdue: cardColumnsOf('overdue'), owed: cardColumnsOf('owed') };

/** Only on a phone, and only for a debt with several ages. */
function agesInWords(row: Balance, of: Shown): string | null {
  const parts = ages[of].filter(([, cents]) => cents(row) > 0);
  if (parts.length < 2) return null;
  return parts.map(([name, cents]) => `${name}: ${formatMoney(cents(row), row.currency)}`).join(', ');
}

const payColumn = (pay: (row: Balance) => void): Column<Balance> => ({
  name: 'Payment',
  width: 9,
  align: 'right',
  phone: 'aside',
  cell: (row) => (
    // Above the link that covers the row.
    <Button
      className="relative z-1 max-md:mt-1"
      aria-label={`Record payment of ${names(row)}`}
      onClick={() => pay(row)}
    >
      Record payment
    </Button>
  ),
});
