import { ChevronLeft, ChevronRight, Download, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, lazy, Suspense } from 'react';
import type { RecordFile } from '../../api/records.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { useFocusBack } from '../../ui/overlays/focus-back.ts';
import { Skeleton } from '../../ui/states.tsx';
import { contentAddress, isPdf, isShown } from './file-words.ts';

/** As large as the rest of the dashboard, so it is loaded when the first PDF is opened. */
const PdfView = lazy(() => import('./pdf-view.tsx'));

/** Shows an image or a PDF over the page, and leads to the neighbouring files. */
export function FileViewer({
  files,
  shown,
  onShow,
  onClose,
}: {
  files: RecordFile[];
  shown: string;
  onShow: (id: string) => void;
  onClose: () => void;
}) {
  const focusBack = useFocusBack();
  const visible = files.filter(isShown);
  const at = visible.findIndex(({ id }) => id === shown);
  const file = visible[at];
  if (file === undefined) return null;
  const step = (by: number) => {
    const next = visible[at + by];
    if (next) onShow(next.id);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') step(-1);
    if (key === 'ArrowRight') step(1);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={focusBack}
          onKeyDown={onKeyDown}
          className="pop-in fixed inset-0 z-50 flex flex-col bg-raised outline-none sm:inset-6 sm:rounded-xl sm:shadow-pop"
        >
          <header className="flex items-center gap-1 border-b border-line px-3 py-2">
            <Dialog.Title className="min-w-0 grow truncate font-semibold">{file.name}</Dialog.Title>
            {visible.length > 1 && (
              <span className="px-2 text-sm whitespace-nowrap text-soft">
                {at + 1} of {visible.length}
              </span>
            )}
            <IconButton label="Previous file" disabled={at === 0} onClick={() => step(-1)}>
              <ChevronLeft />
            </IconButton>
            <IconButton label="Next file" disabled={at === visible.length - 1} onClick={() => step(1)}>
              <ChevronRight />
            </IconButton>
            <a
              href={contentAddress(file)}
              download
              aria-label={`Download ${file.name}`}
              title="Download"
              className={buttonClass('quiet', 'px-2')}
            >
              <Download />
            </a>
            <Dialog.Close asChild>
              <IconButton label="Close">
                <X />
              </IconButton>
            </Dialog.Close>
          </header>
          {isPdf(file) ? (
            <Suspense fallback={<Skeleton className="p-6" />}>
              <PdfView key={file.id} file={file} />
            </Suspense>
          ) : (
            <div className="flex min-h-0 grow items-center justify-center p-2">
              <img
                key={file.id}
                src={contentAddress(file, { disposition: 'inline' })}
                alt={file.name}
                width={file.width ?? undefined}
                height={file.height ?? undefined}
                className="max-h-full max-w-full object-contain"
              />
            </div>
          )}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
