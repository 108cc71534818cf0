import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { one } from '../../api/queries.ts';
import { Page } from '../../ui/page.tsx';
import { Lines, Problem } from '../../ui/states.tsx';

/** A unit is shown on the page of its property. */
export function UnitRedirect() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data: unit, error, refetch } = useQuery(one('units', id));
  if (unit) return <Navigate to={`/properties/${unit.property_id}`} replace />;
  return (
    <Page title="Unit" back="/properties">
      {error ? <Problem error={error} onRetry={refetch} /> : <Lines count={8} />}
    </Page>
  );
}
