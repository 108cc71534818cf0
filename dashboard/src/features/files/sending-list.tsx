import { RotateCcw, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import type { Sending } from './upload-queue.ts';

/** Files that are on their way, and those that did not get through, with the reason. */
export function SendingList({
  of,
  onAgain,
  onDrop,
}: {
  of: Sending[];
  onAgain: (key: string) => void;
  onDrop: (key: string) => void;
}) {
  return (
    <ul aria-live="polite" aria-label="Files on their way" className={cx(of.length > 0 && 'mb-3')}>
      {of.map(({ key, file, problem }) => (
        <li key={key} className="flex min-h-10 items-center gap-2 border-b border-line py-1">
          <div className="min-w-0 grow">
            <div className="truncate">{file.name}</div>
            <div className={cx('text-sm wrap-anywhere', problem ? 'text-bad' : 'text-soft')}>
              {problem ?? 'Sending …'}
            </div>
          </div>
          {problem && (
            <>
              <IconButton label={`Try ${file.name} again`} onClick={() => onAgain(key)}>
                <RotateCcw />
              </IconButton>
              <IconButton label={`Remove ${file.name}`} onClick={() => onDrop(key)}>
                <X />
              </IconButton>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
