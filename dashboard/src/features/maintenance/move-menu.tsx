import { type ReactNode, useState } from 'react';
import { patch } from '../../api/client.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlays/menu.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceStatus } from '../../ui/words.ts';
import { movesFrom } from './moves.ts';

type State = MaintenanceRequest['status'];

export const move = ({ id }: MaintenanceRequest, status: State): Promise<unknown> =>
  saved(
    patch(`/maintenance/${id}`, { status }),
    `Request moved to ${maintenanceStatus[status].word.toLowerCase()}`,
  );

/** Moves a request to another status. Asks before cancelling it, the only move that is final. */
export function MoveMenu({
  request,
  except,
  trigger,
}: {
  request: MaintenanceRequest;
  except?: State;
  trigger: (isBusy: boolean) => ReactNode;
}) {
  const [isCancelling, setCancelling] = useState(false);
  const moving = useAction((status: State) => move(request, status));
  const moves = movesFrom(request.status).filter((status) => status !== except);
  if (moves.length === 0) return null;
  return (
    <>
      <Menu trigger={trigger(moving.isBusy)}>
        <MenuLabel>Move to</MenuLabel>
        {moves.map((status) => (
          <MenuItem
            key={status}
            onSelect={() => (status === 'cancelled' ? setCancelling(true) : moving.run(status))}
          >
            <Status of={maintenanceStatus[status]} />
          </MenuItem>
        ))}
      </Menu>
      {isCancelling && (
        <Confirm
          title={`Cancel #${request.number} ${request.title}?`}
          action="Cancel request"
          keep="Keep it"
          onClose={() => setCancelling(false)}
          onConfirm={() =>
            saved(patch(`/maintenance/${request.id}`, { status: 'cancelled' }), 'Request cancelled')
          }
        >
          A cancelled request cannot be reopened.
        </Confirm>
      )}
    </>
  );
}
