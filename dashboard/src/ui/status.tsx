import { cx } from './class-names.ts';
import type { Label, Tone } from './words.ts';

const tones: Record<Tone, string> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  off: 'bg-off',
};

/** A status: a coloured dot, and always its word. */
export function Status({ of: { word, tone }, className }: { of: Label; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 align-top whitespace-nowrap', className)}>
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tones[tone])} />
      {word}
    </span>
  );
}
