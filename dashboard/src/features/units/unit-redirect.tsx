import { Navigate } from '@tanstack/react-router';
import { RecordPage } from '../../ui/records/record-page.tsx';

/** A unit is shown on the page of its property, where its row is marked. */
export const UnitRedirect = () => (
  <RecordPage noun="units" title="Unit" back="/properties">
    {({ id, property_id }) => (
      <Navigate to={`/properties/${property_id}`} search={{ unit: id } as never} replace />
    )}
  </RecordPage>
);
