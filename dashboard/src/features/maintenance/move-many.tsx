import { patch } from '../../api/client.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { Button } from '../../ui/button.tsx';
import { type Chosen, useBulk } from '../../ui/lists/bulk.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlays/menu.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceStatus, unfinished } from '../../ui/words.ts';
import { mayMove } from './moves.ts';

/** Moves the chosen requests to another status. Cancelling is final, so it is asked for one by one. */
export function MoveMany({ chosen }: { chosen: Chosen<MaintenanceRequest> }) {
  const bulk = useBulk(chosen, ({ number, title }) => `#${number} ${title}`);
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <Button kind="main" isBusy={bulk.isBusy}>
          {bulk.isBusy ? `Moving ${bulk.done} of ${chosen.rows.length}…` : 'Change status'}
        </Button>
      }
    >
      <MenuLabel>Move to</MenuLabel>
      {[...unfinished, 'completed' as const].map((status) => (
        <MenuItem
          key={status}
          onSelect={() =>
            bulk.run(
              chosen.rows.filter((request) => mayMove(request.status, status)),
              ({ id }) => patch(`/maintenance/${id}`, { status }),
              `moved to ${maintenanceStatus[status].word.toLowerCase()}`,
            )
          }
        >
          <Status of={maintenanceStatus[status]} />
        </MenuItem>
      ))}
    </Menu>
  );
}
