import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { saved, useAction } from '../../api/writes.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlays/menu.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceStatus } from '../../ui/words.ts';
import { CancelRequest } from './cancel-request.tsx';
import { movesFrom } from './moves.ts';

export function MoveMenu({ request }: { request: MaintenanceRequest }) {
  const [isCancelling, setCancelling] = useState(false);
  const move = useAction((status: MaintenanceRequest['status']) =>
    saved(
      patch(`/maintenance/${request.id}`, { status }),
      `Moved to ${maintenanceStatus[status].word.toLowerCase()}`,
    ),
  );
  const moves = movesFrom(request.status);
  if (moves.length === 0) return null;
  return (
    <>
      <Menu
        trigger={
          <IconButton
            label={`Move #${request.number}`}
            className="relative z-1 -mt-1.5 -mr-1.5"
            disabled={move.isBusy}
          >
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuLabel>Move to</MenuLabel>
        {moves.map((status) => (
          <MenuItem
            key={status}
            onSelect={() => (status === 'cancelled' ? setCancelling(true) : move.run(status))}
          >
            <Status of={maintenanceStatus[status]} />
          </MenuItem>
        ))}
      </Menu>
      {isCancelling && <CancelRequest request={request} onClose={() => setCancelling(false)} />}
    </>
  );
}
