import { RotateCcw, X } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { sizeWords } from './file-words.ts';
import type { Sending } from './upload-queue.ts';

/** Files being sent, and those that failed, with the reason. */
export function SendingList({
  of,
  onAgain,
  onDrop,
}: {
  of: Sending[];
  onAgain: (key: string) => void;
  onDrop: (file: Sending) => void;
}) {
  return (
    <ul aria-live="polite" aria-label="Files on their way" className={cx(of.length > 0 && 'mb-3')}>
      {of.map((each) => (
        <SendingFile key={each.key} of={each} onAgain={onAgain} onDrop={onDrop} />
      ))}
    </ul>
  );
}

const barClass = cx(
  'h-1.5 w-40 appearance-none overflow-hidden rounded-full bg-line [&::-webkit-progress-bar]:bg-line',
  '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:bg-accent',
);

function SendingFile({
  of: each,
  onAgain,
  onDrop,
}: {
  of: Sending;
  onAgain: (key: string) => void;
  onDrop: (file: Sending) => void;
}) {
  const { key, file, problem, sent } = each;
  const { name } = file;
  // After the upload, the server still has to process the file, for example to re-encode an image.
  const isOut = sent === 1;
  return (
    <li className="flex min-h-10 items-center gap-2 border-b border-line py-1">
      <div className="min-w-0 grow">
        <div className="truncate">{name}</div>
        {problem !== null ? (
          <div className="text-sm wrap-anywhere text-bad">{problem}</div>
        ) : sent === null ? (
          <div className="text-sm text-soft">Waiting …</div>
        ) : (
          <div className="flex items-center gap-2 text-sm text-soft">
            <progress aria-label={`Sending ${name}`} value={isOut ? undefined : sent} className={barClass} />
            {/* Not read aloud at every step. */}
            <span aria-hidden="true" className="figures whitespace-nowrap">
              {isOut ? 'Finishing …' : `${Math.floor(sent * 100)}% of ${sizeWords(file.size)}`}
            </span>
          </div>
        )}
      </div>
      {problem !== null && (
        <IconButton label={`Try ${name} again`} onClick={() => onAgain(key)}>
          <RotateCcw />
        </IconButton>
      )}
      <IconButton label={problem === null ? `Stop ${name}` : `Remove ${name}`} onClick={() => onDrop(each)}>
        <X />
      </IconButton>
    </li>
  );
}
