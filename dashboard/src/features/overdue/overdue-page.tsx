import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, type Query } from '../../api/client.ts';
import type { AgingRow, Balance } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { ImportLink, useHasRows, useIsBare } from '../../ui/lists/bare.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, SearchFilter, Segments, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { PagedList, Total } from '../../ui/lists/record-list.tsx';
import { Sums } from '../../ui/lists/sums.tsx';
import { useIsPhone } from '../../ui/media.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { SaveView } from '../../ui/views/save-view.tsx';
import { Views } from '../../ui/views/views.tsx';
import { running } from '../../ui/words.ts';
import { RecordMany, type ToRecord } from '../payments/record-many.tsx';
import { RecordPayment } from '../payments/record-payment.tsx';
import { ages, type Shown, totals, whole } from './amounts.ts';
import { cardColumns, names, payColumn, place, tableColumns } from './balance-columns.tsx';

const shown = [
  { value: undefined, label: 'Overdue' },
  { value: 'owed', label: 'Including due today' },
  { value: 'credit', label: 'In credit' },
];

const tenants = [
  { value: `upcoming,${running}`, label: 'Current' },
  { value: 'ended', label: 'Former' },
];

const late = {
  title: 'Overdue',
  about: 'Everyone who owes you money, including former tenants. The oldest debt comes first.',
  text: 'Tenants appear here the day after their rent was due.',
};

const pages: Record<Shown, { title: string; about: string; none: string; text: string; filter: Query }> = {
  overdue: { ...late, none: 'Nobody is late', filter: { overdue: 'true' } },
  owed: { ...late, none: 'Nobody owes you anything', filter: { owing: 'true' } },
  credit: {
    title: 'In credit',
    about:
      'Everyone who has paid more than was due, including former tenants. The largest credit comes first.',
    none: 'Nobody is in credit',
    text: 'Tenants appear here if they have paid or been credited more than was due, until it pays what falls due next.',
    filter: { in_credit: 'true' },
  },
};

/** Who owes what, and since when, the oldest debt first. Credit is listed separately: the two are never one figure. */
export function OverduePage() {
  const { filters, control, clear, isFiltered } = useFilters(['q', 'property_id', 'lease_status']);
  const show = useFilters(['show']);
  const [paying, setPaying] = useState<Balance | null>(null);
  const view = viewOf(show.filters.show);
  const page = pages[view];
  const { q, property_id, lease_status } = filters;
  const filter = { ...filters, ...page.filter };
  const canWrite = useCanWrite();
  const canRecord = canWrite && view !== 'credit';
  const isBare = useIsBare('balances', filter, !isFiltered, 'leases');
  // If nobody is late there is nothing to view, and no need to ask.
  const isViewed = useHasRows('balances', filter) || isFiltered;
  const total = isViewed && <Total noun="balances" filter={filter} one="lease" />;
  const columns = (useIsPhone() ? cardColumns : tableColumns)[view];
  const [payer] = paying?.tenants ?? [];
  return (
    <Page
      title={page.title}
      isList
      total={total}
      about={page.about}
      actions={isViewed && <ExportLink path="/balances" filter={filter} />}
    >
      {isViewed && <Views list="overdue" />}
      {!isBare && (
        <FilterBar
          onClear={isFiltered ? clear : undefined}
          save={isViewed && <SaveView list="overdue" />}
          total={total}
        >
          <SearchFilter label="Search" {...control('q')} />
          <Segments label="Show" options={shown} {...show.control('show')} />
          <SelectFilter label="Tenants" options={tenants} {...control('lease_status')} />
          <PropertyFilter {...control('property_id')} />
        </FilterBar>
      )}
      {!q && <Totals of={view} propertyId={property_id} statuses={lease_status?.split(',')} />}
      <PagedList
        noun="balances"
        label={page.title}
        filter={filter}
        columns={canRecord ? [...columns, payColumn(setPaying)] : columns}
        rowKey={(row) => row.lease_id}
        rowLink={(row) => `/leases/${row.lease_id}`}
        actions={
          canRecord
            ? (chosen) => (
                <RecordMany
                  chosen={chosen}
                  toRecord={owedBy}
                  isAllOwed
                  what={view === 'owed' ? 'all that is owed' : 'all that is owed, due today included,'}
                />
              )
            : undefined
        }
        isFiltered={isFiltered}
        empty={
          <Empty title={page.none} actions={isBare && canWrite && <ImportLink />}>
            {page.text}
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

const viewOf = (show: string | undefined): Shown => (show === 'owed' || show === 'credit' ? show : 'overdue');

/** The sums of all leases, each currency separately. */
function Totals({
  of,
  propertyId,
  statuses,
}: {
  of: Shown;
  propertyId: string | undefined;
  /** Of the leases; without them, all count. */
  statuses: string[] | undefined;
}) {
  const by = statuses ? 'lease' : 'property';
  const { data = [] } = useQuery({
    queryKey: ['/reports/aging', by],
    queryFn: ({ signal }) => get<AgingRow[]>('/reports/aging', { by }, signal),
  });
  const rows = data.filter(
    ({ property, lease }) =>
      (!propertyId || property?.id === propertyId) && (!statuses || statuses.includes(lease?.status ?? '')),
  );
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
