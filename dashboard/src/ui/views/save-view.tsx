import { Bookmark, Plus } from 'lucide-react';
import { useState } from 'react';
import { patch } from '../../api/client.ts';
import type { SavedView } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { create, orToast, saved } from '../../api/writes.ts';
import { Button } from '../button.tsx';
import { Check } from '../forms/check.tsx';
import { TextField } from '../forms/field.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../overlays/menu.tsx';
import { useViews, type View, type ViewedList } from './use-views.ts';

/** Saves the filters, search and order of a list, as a new view or over an existing one. */
export function SaveView({ list, ready }: { list: ViewedList; ready?: View[] | undefined }) {
  const { saved: views, toSave } = useViews(list, ready);
  const [isNaming, setNaming] = useState(false);
  const canWrite = useCanWrite();
  const own = views.filter(({ shared }) => canWrite || !shared);
  const overwrite = ({ id, name }: SavedView) =>
    orToast(() => saved(patch(`/views/${id}`, { query: toSave }), `${name} changed`));
  const button = (
    <Button kind="quiet" icon={<Bookmark />} {...(own.length === 0 && { onClick: () => setNaming(true) })}>
      Save view
    </Button>
  );
  return (
    <>
      {toSave && own.length === 0 && button}
      {toSave && own.length > 0 && (
        <Menu align="start" trigger={button}>
          <MenuItem icon={<Plus />} onSelect={() => setNaming(true)}>
            Save as a new view
          </MenuItem>
          <MenuSeparator />
          <MenuLabel>Overwrite</MenuLabel>
          {own.map((view) => (
            <MenuItem key={view.id} onSelect={() => overwrite(view)}>
              <span className="max-w-64 truncate">{view.name}</span>
            </MenuItem>
          ))}
        </Menu>
      )}
      {isNaming && toSave && (
        <FormDialog
          title="Save view"
          description="The filters, the search and the order of this list, under a name."
          submit="Save view"
          onClose={() => setNaming(false)}
          onSubmit={(values) =>
            saved(
              create<SavedView>('/views', {
                list,
                name: values.text('name'),
                query: toSave,
                shared: values.has('shared'),
              }),
              'View saved',
            )
          }
        >
          <TextField name="name" label="Name" required autoFocus maxLength={60} />
          {canWrite && (
            <Check
              name="shared"
              label="Share with the team"
              about="Everyone in the team sees it. Owners and managers can change it."
            />
          )}
        </FormDialog>
      )}
    </>
  );
}
