import { Navigate } from '@tanstack/react-router';
import { RecordPage } from '../../ui/records/record-page.tsx';

/** A unit is shown on the page of its property. */
export const UnitRedirect = () => (
  <RecordPage noun="units" title="Unit" back="/properties">
    {(unit) => <Navigate to={`/properties/${unit.property_id}`} replace />}
  </RecordPage>
);
