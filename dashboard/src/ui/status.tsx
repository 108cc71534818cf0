import { cx } from './class-names.ts';
import type { Label, Tone } from './words.ts';

const tones: Record<Tone, string> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  off: 'bg-off',
};

/** A status: a pill with a coloured dot, and always its word. */
export function Status({ of: { word, tone }, className }: { of: Label; className?: string }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-full border border-line px-2 align-top text-sm leading-5 whitespace-nowrap',
        className,
      )}
    >
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tones[tone])} />
      {word}
    </span>
  );
}
