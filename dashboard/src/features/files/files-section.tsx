import { useQuery } from '@tanstack/react-query';
import { Camera, Paperclip } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { get } from '../../api/client.ts';
import type { RecordFile } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { buttonClass } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { useIsPhone } from '../../ui/media.ts';
import { Section } from '../../ui/page.tsx';
import { Loaded, Skeleton } from '../../ui/states.tsx';
import { FileTile } from './file-tile.tsx';
import { FileViewer } from './file-viewer.tsx';
import { SendingList } from './sending-list.tsx';
import { useUploads } from './upload-queue.ts';

const mostOfRecord = 100;

/**
 * If HEIC is not in this list, Safari converts it to the first type. So JPEG comes first, and there is no `image/*`.
 */
const kinds =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff,application/pdf,.docx,.xlsx,.pptx,.odt,.ods,.doc,.xls,.ppt,.msg,.rtf,.txt,.csv,.md';

/**
 * The photos and documents of a record. They can be shown, added (by choosing, dragging or with the camera), arranged
 * and deleted.
 */
export function FilesSection({ record, title = 'Files' }: { record: string; title?: string }) {
  const canWrite = useCanWrite();
  const isPhone = useIsPhone();
  const uploads = useUploads(record);
  const [isOver, setOver] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const query = useQuery({
    queryKey: ['files', record],
    queryFn: ({ signal }) => get<RecordFile[]>('/files', { record, limit: mostOfRecord }, signal),
    select: (files) => files.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1)),
  });
  const dropping = canWrite && {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      setOver(false);
      uploads.add(event.dataTransfer.files);
    },
  };
  return (
    <Section
      className={cx(query.data?.length === 0 && 'print:hidden')}
      title={title}
      actions={
        canWrite && (
          <div className="flex flex-wrap gap-2">
            {isPhone && (
              <FileInput
                label="Take photo"
                icon={<Camera />}
                accept="image/jpeg"
                capture
                onFiles={uploads.add}
              />
            )}
            <FileInput label="Add files" icon={<Paperclip />} accept={kinds} onFiles={uploads.add} />
          </div>
        )
      }
    >
      <div
        {...dropping}
        className={cx(
          'border-t border-line pt-3',
          isOver && 'rounded-lg outline-2 outline-offset-4 outline-accent outline-dashed',
        )}
      >
        <SendingList of={uploads.sending} onAgain={uploads.again} onDrop={uploads.drop} />
        <Loaded query={query} waiting={<Skeleton count={2} />}>
          {(files) =>
            files.length === 0 ? (
              <p className="text-soft">
                {canWrite
                  ? 'No photos or documents yet. Drop them here, or choose them with Add files.'
                  : 'No photos or documents yet.'}
              </p>
            ) : (
              <ul aria-label="Files" className="grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] gap-3">
                {files.map((file, at) => (
                  <FileTile
                    key={file.id}
                    file={file}
                    isFirst={at === 0}
                    isLast={at === files.length - 1}
                    canWrite={canWrite}
                    onOpen={() => setShown(file.id)}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {shown !== null && query.data && (
        <FileViewer files={query.data} shown={shown} onShow={setShown} onClose={() => setShown(null)} />
      )}
    </Section>
  );
}

function FileInput({
  label,
  icon,
  accept,
  capture,
  onFiles,
}: {
  label: string;
  icon: React.ReactNode;
  accept: string;
  capture?: boolean;
  onFiles: (files: File[]) => void;
}) {
  return (
    <label
      className={buttonClass(
        'plain',
        'relative cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-accent',
      )}
    >
      <span aria-hidden="true">{icon}</span>
      {label}
      <input
        type="file"
        aria-label={label}
        accept={accept}
        multiple={!capture}
        {...(capture ? { capture: 'environment' as const } : {})}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
    </label>
  );
}
