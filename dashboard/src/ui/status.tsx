import { cx } from './class-names.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'off';

const tones: Record<Tone, string> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
  off: 'bg-off',
};

export interface Label {
  word: string;
  tone: Tone;
}

/** A state: a small dot, and always its word. */
export function Status({ of: { word, tone }, className }: { of: Label; className?: string }) {
  return (
    <span className={cx('inline-flex items-center gap-2 align-top whitespace-nowrap', className)}>
      <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', tones[tone])} />
      {word}
    </span>
  );
}
