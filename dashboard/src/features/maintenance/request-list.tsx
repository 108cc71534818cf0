import type { MaintenanceRequest } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Day, today } from '../../ui/date.tsx';
import { statusColumn } from '../../ui/lists/columns.tsx';
import { SearchFilter, Segments, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { ListPage } from '../../ui/lists/list-page.tsx';
import { PlaceName } from '../../ui/lists/names.tsx';
import { PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { maintenancePriority, maintenanceStatus, optionsOf, unfinished } from '../../ui/words.ts';
import { Board, useIsBoardEmpty } from './board.tsx';
import { MoveMany } from './move-many.tsx';
import { Priority } from './priority.tsx';

const columns: Column<MaintenanceRequest>[] = [
  {
    name: 'Request',
    sort: 'created_at',
    phone: 'title',
    cell: (request) => (
      <>
        <span className="figures mr-1 inline-block min-w-7 font-normal text-faint">#{request.number}</span>
        {request.title}
      </>
    ),
  },
  {
    name: 'Location',
    phone: 'line',
    cell: (request) => <PlaceName of={request} />,
  },
  {
    name: 'Assigned to',
    isExtra: true,
    width: 10,
    cell: (request) => request.assigned_to ?? <span className="text-faint">–</span>,
  },
  { name: 'Due', sort: 'due_on', isExtra: true, width: 9, cell: (request) => <Due of={request} /> },
  {
    name: 'Priority',
    sort: 'priority',
    phone: 'aside',
    width: 7,
    cell: ({ priority }) => <Priority of={priority} />,
  },
  statusColumn('Status', (request) => maintenanceStatus[request.status]),
];

/** The due date, and whether it has passed. */
function Due({ of: { due_on, status } }: { of: MaintenanceRequest }) {
  const isLate = due_on !== null && due_on < today() && status !== 'completed' && status !== 'cancelled';
  return (
    <>
      <Day date={due_on} />
      {isLate && <span className="text-bad"> late</span>}
    </>
  );
}

const filterNames = ['q', 'status', 'priority', 'tenant_id', 'property_id'] as const;

const views = [
  { value: undefined, label: 'List' },
  { value: 'board', label: 'Board' },
];

export function MaintenancePage() {
  const canWrite = useCanWrite();
  const { filters, control, clear } = useFilters(filterNames);
  const view = useFilters(['view']);
  const isBoard = view.filters.view === 'board';
  const { status: chosen, ...boardFilter } = filters;
  // What is shown by default can also be linked to.
  const status = chosen === 'unfinished' ? undefined : chosen;
  const isFiltered = [status, ...Object.values(boardFilter)].some(Boolean);
  const filter = {
    ...boardFilter,
    status: status === 'all' ? undefined : (status ?? unfinished.join(',')),
  };
  const isBoardEmpty = useIsBoardEmpty(boardFilter, isBoard);
  return (
    <ListPage
      title="Maintenance"
      noun="maintenance"
      label="Maintenance requests"
      filter={isBoard ? boardFilter : filter}
      columns={columns}
      isFiltered={isFiltered}
      actions={canWrite ? (chosen) => <MoveMany chosen={chosen} /> : undefined}
      add="Add request"
      onClear={isFiltered ? clear : undefined}
      filters={
        <>
          <SearchFilter label="Search" {...control('q')} />
          <Segments label="View" options={views} {...view.control('view')} />
          {!isBoard && (
            <SelectFilter
              label="Status"
              none="unfinished"
              options={[...optionsOf(maintenanceStatus), { value: 'all', label: 'All' }]}
              {...control('status')}
              value={status}
            />
          )}
          <SelectFilter label="Priority" options={optionsOf(maintenancePriority)} {...control('priority')} />
          <TenantFilter {...control('tenant_id')} />
          <PropertyFilter {...control('property_id')} />
        </>
      }
      instead={isBoard ? <Board filter={boardFilter} /> : undefined}
      isInsteadEmpty={isBoardEmpty}
      empty={{
        title: 'No open requests',
        text: 'Add a request when something breaks or needs to be done.',
      }}
    />
  );
}
