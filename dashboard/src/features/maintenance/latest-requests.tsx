import { RecordPanel } from '../../ui/records/record-panel.tsx';
import { Status } from '../../ui/status.tsx';
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
      {
        name: 'Status',
        phone: 'aside',
        cell: (request) => <Status of={maintenanceStatus[request.status]} />,
      },
    ]}
  />
);
