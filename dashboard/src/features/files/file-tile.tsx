import { ArrowLeft, ArrowRight, Download, Ellipsis, FileText, Pencil, Trash2 } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { patch, remove } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { RecordFile } from '../../api/records.ts';
import { orToast } from '../../api/writes.ts';
import { IconButton } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Menu, MenuDownload, MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { contentAddress, isImage, isShown, sizeWords, typeWords } from './file-words.ts';

/** The type under which a tile is dragged, so that it is not mistaken for a file from outside. */
const dragged = 'application/x-tenure-file';

const refresh = ({ record }: RecordFile) => queryClient.invalidateQueries({ queryKey: ['files', record] });

const moveTo = (file: Pick<RecordFile, 'id'>, target: RecordFile) =>
  orToast(async () => {
    await patch(`/files/${file.id}`, { position: target.position });
    await refresh(target);
  });

/** One file: its picture or its kind, its name, and actions on it. */
export function FileTile({
  file,
  isFirst,
  isLast,
  canWrite,
  onOpen,
}: {
  file: RecordFile;
  isFirst: boolean;
  isLast: boolean;
  canWrite: boolean;
  onOpen: () => void;
}) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null);
  const dragging = canWrite && {
    draggable: true,
    onDragStart: (event: DragEvent) => event.dataTransfer.setData(dragged, file.id),
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes(dragged)) event.preventDefault();
    },
    onDrop: (event: DragEvent) => {
      const id = event.dataTransfer.getData(dragged);
      if (id === '') return;
      event.preventDefault();
      event.stopPropagation();
      if (id !== file.id) void moveTo({ id }, file);
    },
  };
  const step = (by: 1 | -1) => moveTo(file, { ...file, position: Math.max(1, file.position + by) });
  return (
    <li {...dragging} className="min-w-0">
      <Preview file={file} onOpen={onOpen} />
      <div className="mt-1 flex items-start gap-1">
        <div className="min-w-0 grow">
          <div className="truncate text-sm font-medium" title={file.name}>
            {file.name}
          </div>
          <div className="text-sm text-soft">
            {typeWords(file)} · {sizeWords(file.size)}
          </div>
        </div>
        <Menu
          trigger={
            <IconButton label={`Actions for ${file.name}`} className="-mr-1">
              <Ellipsis />
            </IconButton>
          }
        >
          <MenuDownload href={contentAddress(file)} icon={<Download />}>
            Download
          </MenuDownload>
          {canWrite && (
            <>
              <MenuItem icon={<Pencil />} onSelect={() => setOpen('rename')}>
                Rename
              </MenuItem>
              {!isFirst && (
                <MenuItem icon={<ArrowLeft />} onSelect={() => void step(-1)}>
                  Move forward
                </MenuItem>
              )}
              {!isLast && (
                <MenuItem icon={<ArrowRight />} onSelect={() => void step(1)}>
                  Move back
                </MenuItem>
              )}
              <MenuSeparator />
              <MenuItem icon={<Trash2 />} isDanger onSelect={() => setOpen('delete')}>
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
      {open === 'rename' && (
        <FormDialog
          title="Rename file"
          submit="Rename"
          onClose={() => setOpen(null)}
          onSubmit={async (values) => {
            await patch(`/files/${file.id}`, { name: values.text('name') });
            await refresh(file);
          }}
        >
          <TextField name="name" label="Name" required autoFocus defaultValue={file.name} />
        </FormDialog>
      )}
      {open === 'delete' && (
        <Confirm
          title={`Delete ${file.name}?`}
          action="Delete"
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await remove(`/files/${file.id}`);
            await refresh(file);
          }}
        >
          The file is deleted for good. It cannot be brought back.
        </Confirm>
      )}
    </li>
  );
}

const frame =
  'flex aspect-[4/3] w-full items-center justify-center overflow-hidden rounded-lg border border-line bg-side text-faint';

/** Opens what can be shown here, and downloads anything else. */
function Preview({ file, onOpen }: { file: RecordFile; onOpen: () => void }) {
  const picture = isImage(file) ? (
    <img
      src={contentAddress(file, { variant: 'thumbnail', disposition: 'inline' })}
      alt=""
      loading="lazy"
      draggable={false}
      className="size-full object-cover"
    />
  ) : (
    <FileText aria-hidden="true" className="size-8" />
  );
  return isShown(file) ? (
    <button type="button" aria-label={`Open ${file.name}`} onClick={onOpen} className={frame}>
      {picture}
    </button>
  ) : (
    <a href={contentAddress(file)} download aria-label={`Download ${file.name}`} className={frame}>
      {picture}
    </a>
  );
}
