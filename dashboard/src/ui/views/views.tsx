import { Link } from '@tanstack/react-router';
import { Ellipsis, Pencil, Trash2, Users } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { patch, remove } from '../../api/client.ts';
import type { SavedView } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { orToast, saved } from '../../api/writes.ts';
import { IconButton } from '../button.tsx';
import { cx } from '../class-names.ts';
import { TextField } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { Confirm } from '../overlays/confirm.tsx';
import { Menu, MenuItem, MenuSeparator } from '../overlays/menu.tsx';
import { useViews, type View, type ViewedList } from './use-views.ts';

/** Views of a list: predefined ones, and those that somebody saved. */
export function Views({ list, ready }: { list: ViewedList; ready?: View[] | undefined }) {
  const { views, shown } = useViews(list, ready);
  const nav = useRef<HTMLElement>(null);
  // On a phone the row scrolls sideways.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view is another link
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown?.name]);
  if (views.length === 0) return null;
  return (
    <nav
      ref={nav}
      aria-label="Views"
      className="mb-3 flex gap-x-5 gap-y-1 overflow-x-auto [scrollbar-width:none] sm:flex-wrap sm:overflow-visible"
    >
      {views.map((view) => {
        const isShown = isSameView(view, shown);
        return (
          <div key={view.saved?.id ?? view.name} className="flex shrink-0 items-center gap-1">
            <Link
              to={`/${list}`}
              search={view.search as never}
              aria-current={isShown ? 'page' : undefined}
              className={cx(
                'flex max-w-64 items-center gap-1.5 border-b-2 py-1 font-medium',
                isShown ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink',
              )}
            >
              <span className="truncate">{view.name}</span>
              {view.saved?.shared && <SharedMark />}
            </Link>
            {isShown && view.saved && <ViewMenu of={view.saved} />}
          </div>
        );
      })}
    </nav>
  );
}

const isSameView = (view: View, shown: View | undefined): boolean =>
  shown !== undefined && view.name === shown.name && view.saved?.id === shown.saved?.id;

const SharedMark = () => (
  <>
    <Users aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
    <span className="sr-only">(shared)</span>
  </>
);

/** Actions on a saved view. People who may change records may change the team's views. */
function ViewMenu({ of: view }: { of: SavedView }) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const canWrite = useCanWrite();
  if (view.shared && !canWrite) return null;
  const close = () => setOpen(null);
  const share = (shared: boolean) =>
    orToast(() =>
      saved(patch(`/views/${view.id}`, { shared }), shared ? 'Shared with the team' : 'No longer shared'),
    );
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton label={`Options of ${view.name}`} className="size-7 sm:size-7">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil />} onSelect={() => setOpen('rename')}>
          Rename
        </MenuItem>
        {canWrite && (
          <MenuItem icon={<Users />} onSelect={() => share(!view.shared)}>
            {view.shared ? 'Keep for myself' : 'Share with the team'}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<Trash2 />} isDanger onSelect={() => setOpen('delete')}>
          Delete
        </MenuItem>
      </Menu>
      {open === 'rename' && (
        <FormDialog
          title="Rename view"
          submit="Rename"
          onClose={close}
          onSubmit={(values) => saved(patch(`/views/${view.id}`, { name: values.text('name') }))}
        >
          <TextField name="name" label="Name" required autoFocus maxLength={60} defaultValue={view.name} />
        </FormDialog>
      )}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${view.name}?`}
          action="Delete view"
          onClose={close}
          onConfirm={() => saved(remove(`/views/${view.id}`), 'View deleted')}
        >
          {view.shared
            ? 'Nobody in the team finds this view any more. The records in it stay.'
            : 'The records in it stay.'}
        </Confirm>
      )}
    </>
  );
}
