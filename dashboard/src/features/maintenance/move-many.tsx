import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { MaintenanceRequest } from '../../api/records.ts';
import { Button } from '../../ui/button.tsx';
import { type Chosen, useBulk } from '../../ui/lists/bulk.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/overlays/menu.tsx';
import { Status } from '../../ui/status.tsx';
import { maintenanceStatus, unfinished } from '../../ui/words.ts';
import { mayMove } from './moves.ts';

/** Moves the chosen requests to another status. Cancelling is final, so it is confirmed one by one. */
export function MoveMany({ chosen }: { chosen: Chosen<MaintenanceRequest> }) {
  const bulk = useBulk(chosen, ({ number, title }) => `#${number} ${title}`);
  const [total, setTotal] = useState(0);
  const choices = [...unfinished, 'completed' as const].map((status) => ({
    status,
    fitting: chosen.rows.filter((request) => mayMove(request.status, status)),
  }));
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <Button kind="main" isBusy={bulk.isBusy}>
          {bulk.isBusy ? `Moving ${bulk.done} of ${total}…` : 'Change status'}
        </Button>
      }
    >
      <MenuLabel>Move to</MenuLabel>
      {choices.map(({ status, fitting }) => (
        <MenuItem
          key={status}
          isDisabled={fitting.length === 0}
          onSelect={() => {
            setTotal(fitting.length);
            void bulk.run(
              fitting,
              ({ id }) => patch(`/maintenance/${id}`, { status }),
              `moved to ${maintenanceStatus[status].word.toLowerCase()}`,
            );
          }}
        >
          <Status of={maintenanceStatus[status]} />
          {fitting.length < chosen.rows.length && <span className="text-soft">({fitting.length})</span>}
        </MenuItem>
      ))}
    </Menu>
  );
}
