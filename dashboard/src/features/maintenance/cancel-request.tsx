import { patch } from '../../api/client.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { saved } from '../../api/writes.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';

/** Asks first: of all that can become of a request, this alone is final. */
export function CancelRequest({ request, onClose }: { request: MaintenanceRequest; onClose: () => void }) {
  return (
    <Confirm
      title={`Cancel #${request.number} ${request.title}?`}
      action="Cancel request"
      keep="Keep it"
      onClose={onClose}
      onConfirm={() =>
        saved(patch(`/maintenance/${request.id}`, { status: 'cancelled' }), 'Request cancelled')
      }
    >
      A cancelled request cannot be opened again.
    </Confirm>
  );
}
