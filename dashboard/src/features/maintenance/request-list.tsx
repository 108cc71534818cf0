import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { MaintenanceRequest } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Day, today } from '../../ui/date.tsx';
import { ExportLink } from '../../ui/lists/export-link.tsx';
import { FilterBar, Segments, SelectFilter, useFilters } from '../../ui/lists/filters.tsx';
import { PlaceName } from '../../ui/lists/names.tsx';
import { PropertyFilter, TenantFilter } from '../../ui/lists/record-filters.tsx';
import { RecordList } from '../../ui/lists/record-list.tsx';
import type { Column } from '../../ui/lists/table.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenancePriority, maintenanceStatus, optionsOf, unfinished } from '../../ui/words.ts';
import { Board } from './board.tsx';

const columns: Column<MaintenanceRequest>[] = [
  {
    name: 'Request',
    phone: 'title',
    cell: (request) => (
      <>
        <span className="figures mr-1 inline-block min-w-7 font-normal text-faint">#{request.number}</span>
        {request.title}
      </>
    ),
  },
  {
    name: 'Place',
    phone: 'line',
    cell: (request) => <PlaceName propertyId={request.property_id} unitId={request.unit_id} />,
  },
  {
    name: 'Assigned to',
    isExtra: true,
    className: 'wrap-anywhere',
    cell: (request) => request.assigned_to ?? <span className="text-faint">–</span>,
  },
  { name: 'Due', isExtra: true, cell: (request) => <Due of={request} /> },
  {
    name: 'Priority',
    phone: 'aside',
    cell: (request) => <Status of={maintenancePriority[request.priority]} />,
  },
  { name: 'Status', phone: 'aside', cell: (request) => <Status of={maintenanceStatus[request.status]} /> },
];

/** When it is due; that it is late is said in a word. */
function Due({ of: { due_on, status } }: { of: MaintenanceRequest }) {
  const isLate = due_on !== null && due_on < today() && status !== 'completed' && status !== 'cancelled';
  return (
    <>
      <Day date={due_on} />
      {isLate && <span className="text-bad"> late</span>}
    </>
  );
}

const filterNames = ['status', 'priority', 'tenant_id', 'property_id'] as const;

export function MaintenancePage() {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const { view } = useSearch({ strict: false }) as { view?: string };
  const { filters, set, clear, isFiltered } = useFilters(filterNames);
  const show = useFilters(['view']);
  const isBoard = view === 'board';
  const { status, ...boardFilter } = filters;
  const filter = {
    ...boardFilter,
    status: status === 'all' ? undefined : (status ?? unfinished.join(',')),
  };
  return (
    <Page
      title="Maintenance"
      actions={
        <>
          <ExportLink path="/maintenance" filter={isBoard ? boardFilter : filter} />
          {canWrite && (
            <Button kind="main" icon={<Plus />} onClick={() => navigate({ to: '/maintenance/new' })}>
              New request
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <Segments
          label="View"
          value={isBoard ? 'board' : undefined}
          options={[
            { value: undefined, label: 'List' },
            { value: 'board', label: 'Board' },
          ]}
          onChange={(next) => show.set({ view: next })}
        />
        {!isBoard && (
          <SelectFilter
            label="Status"
            none="unfinished"
            value={status}
            options={[...optionsOf(maintenanceStatus), { value: 'all', label: 'All' }]}
            onChange={(next) => set({ status: next })}
          />
        )}
        <SelectFilter
          label="Priority"
          value={filters.priority}
          options={optionsOf(maintenancePriority)}
          onChange={(priority) => set({ priority })}
        />
        <TenantFilter value={filters.tenant_id} onChange={(tenant_id) => set({ tenant_id })} />
        <PropertyFilter value={filters.property_id} onChange={(property_id) => set({ property_id })} />
      </FilterBar>
      {isBoard ? (
        <Board filter={boardFilter} />
      ) : (
        <RecordList
          noun="maintenance"
          label="Maintenance requests"
          filter={filter}
          columns={columns}
          rowLink={(request) => `/maintenance/${request.id}`}
          empty={
            isFiltered ? (
              <Empty title="No request fits these filters" />
            ) : (
              <Empty title="Nothing to repair">
                Requests that are not finished stand here. Make one when something breaks or is due.
              </Empty>
            )
          }
        />
      )}
    </Page>
  );
}
