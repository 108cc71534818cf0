import type { MaintenanceRequest } from '../../api/records.ts';
import { statusColumn } from '../../ui/lists/columns.tsx';
import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { maintenanceStatus } from '../../ui/words.ts';

/** The latest repairs of a property or a tenant. */
export const LatestRequests = ({ filter }: { filter: Record<string, string> }) => (
  <RecordPanel
    noun="maintenance"
    filter={filter}
    search={{ ...filter, status: 'all' }}
    shown={6}
    title="Latest repairs"
    empty="No repairs yet."
    columns={[
      { name: 'Request', phone: 'title', cell: (request) => request.title },
      statusColumn<MaintenanceRequest>('Status', (request) => maintenanceStatus[request.status]),
    ]}
  />
);
