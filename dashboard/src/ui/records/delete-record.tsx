import { Ellipsis, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { remove } from '../../api/client.ts';
import { saved } from '../../api/writes.ts';
import { Button, IconButton } from '../button.tsx';
import { Confirm } from '../overlays/confirm.tsx';
import { Menu, MenuItem } from '../overlays/menu.tsx';

interface Props {
  /** The record's path in the API. */
  path: string;
  /** As in "Delete lease?". */
  noun: string;
  name?: string;
  /** What else is deleted with it. */
  about?: string;
  /** Leaves the record's page: it must not refetch what is gone. */
  leave: () => unknown;
}

/** Rare actions on a record, behind three dots. */
export function MoreMenu({ children, ...record }: Props & { children?: ReactNode }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Menu
        trigger={
          <IconButton label="More" className="border border-line-strong bg-raised">
            <Ellipsis />
          </IconButton>
        }
      >
        {children}
        <MenuItem icon={<Trash2 />} isDanger onSelect={() => setAsking(true)}>
          Delete {record.noun}
        </MenuItem>
      </Menu>
      {isAsking && <DeleteDialog {...record} onClose={() => setAsking(false)} />}
    </>
  );
}

export function DeleteButton(record: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="danger" icon={<Trash2 />} onClick={() => setAsking(true)}>
        Delete {record.noun}
      </Button>
      {isAsking && <DeleteDialog {...record} onClose={() => setAsking(false)} />}
    </>
  );
}

/** If something refers to the record, the server says what. */
const DeleteDialog = ({ path, noun, name, about, leave, onClose }: Props & { onClose: () => void }) => (
  <Confirm
    title={`Delete ${name ?? `this ${noun}`}?`}
    action="Delete"
    onClose={onClose}
    onConfirm={async () => {
      await remove(path);
      await leave();
      await saved(Promise.resolve(), `${noun.charAt(0).toUpperCase()}${noun.slice(1)} deleted`);
    }}
  >
    Delete only what was added by mistake. It must not be in use by other records. {about} It cannot be
    undone.
  </Confirm>
);
