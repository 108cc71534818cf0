import type { Charge } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Day } from '../../ui/date.tsx';
import { ImportLink, useIsBare } from '../../ui/lists/bare.tsx';
import { moneyColumn, statusColumn } from '../../ui/lists/columns.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import {
  FilterBar,
  SearchFilter,
  Segments,
  SelectFilter,
  SortSelect,
  useFilters,
} from '../../ui/lists/filters.tsx';
import { PlaceName } from '../../ui/lists/names.tsx';
import { LeaseFilter, PropertyFilter } from '../../ui/lists/record-filters.tsx';
import { PagedList, Total } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { SaveView } from '../../ui/views/save-view.tsx';
import { Views } from '../../ui/views/views.tsx';
import { chargeKind, chargeStatus, optionsOf } from '../../ui/words.ts';
import { chargeName } from '../ledger/charge-words.ts';

const shown = [
  { value: undefined, label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'overdue', label: 'Overdue' },
];

const columns: Column<Charge>[] = [
  { name: 'For', phone: 'title', cell: chargeName },
  {
    name: 'Unit',
    phone: 'line',
    cell: (charge) => <PlaceName of={charge} />,
  },
  {
    name: 'Due on',
    sort: 'due_on',
    phone: 'line',
    width: 8,
    cell: (charge) => <Day date={charge.due_on} />,
  },
  statusColumn<Charge>('Status', (charge) => chargeStatus[charge.status]),
  moneyColumn<Charge>('Amount', (charge) => charge.amount_cents),
  moneyColumn<Charge>('Open', (charge) => charge.open_cents || null, {
    className: 'font-medium',
  }),
];

const NoCharges = () => (
  <Empty title="No charges yet" actions={useCanWrite() && <ImportLink />}>
    Rent is charged automatically once there is a lease. Other charges are added on the lease's page.
  </Empty>
);

/** The charges of all leases. Each leads to the ledger that it is part of. */
export function ChargesPage() {
  const { filters, control, clear, isFiltered } = useFilters([
    'q',
    'show',
    'kind',
    'lease_id',
    'property_id',
  ]);
  const { show, ...others } = filters;
  const filter = {
    ...others,
    ...(show === 'open' && { status: 'open,partial' }),
    ...(show === 'overdue' && { overdue: 'true' }),
  };
  const isBare = useIsBare('charges', filter, !isFiltered);
  if (isBare)
    return (
      <Page title="Charges" isList>
        <NoCharges />
      </Page>
    );
  const total = <Total noun="charges" filter={filter} />;
  return (
    <Page title="Charges" isList total={total} actions={<ExportLink path="/charges" filter={filter} />}>
      <Views list="charges" />
      <FilterBar onClear={isFiltered ? clear : undefined} save={<SaveView list="charges" />} total={total}>
        <SearchFilter label="Search" {...control('q')} />
        <Segments label="Show" options={shown} {...control('show')} />
        <SelectFilter label="For" options={optionsOf(chargeKind)} {...control('kind')} />
        <LeaseFilter {...control('lease_id')} />
        <PropertyFilter {...control('property_id')} />
        <SortSelect columns={columns} />
      </FilterBar>
      <PagedList
        noun="charges"
        label="Charges"
        filter={filter}
        columns={columns}
        rowKey={(charge) => charge.id}
        rowLink={(charge) => `/leases/${charge.lease_id}`}
        isFiltered={isFiltered}
        empty={<NoCharges />}
      />
    </Page>
  );
}
