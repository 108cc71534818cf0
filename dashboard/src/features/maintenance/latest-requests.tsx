import { useQuery } from '@tanstack/react-query';
import { first } from '../../api/queries.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceStatus } from '../../ui/words.ts';

const shown = 6;

/** The latest repairs of a property or a tenant, and the way to all of them. */
export function LatestRequests({ filter }: { filter: { property_id?: string; tenant_id?: string } }) {
  const query = useQuery(first('maintenance', filter, shown));
  return (
    <Panel
      title="Latest repairs"
      query={query}
      rowLink={(request) => `/maintenance/${request.id}`}
      empty="No repairs yet."
      columns={[
        { name: 'Request', phone: 'title', cell: (request) => request.title },
        {
          name: 'Status',
          phone: 'aside',
          cell: (request) => <Status of={maintenanceStatus[request.status]} />,
        },
      ]}
      more={
        (query.data?.length ?? 0) >= shown && (
          <TextLink to="/maintenance" search={{ ...filter, status: 'all' }}>
            Show all
          </TextLink>
        )
      }
    />
  );
}
