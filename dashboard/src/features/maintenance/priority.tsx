import { ChevronDown, ChevronsUp, Equal, type LucideIcon, Siren } from 'lucide-react';
import type { MaintenanceRequest } from '../../api/records.ts';
import { cx } from '../../ui/class-names.ts';
import { maintenancePriority, type Tone } from '../../ui/words.ts';

type Priority = MaintenanceRequest['priority'];

const icons: Record<Priority, LucideIcon> = {
  emergency: Siren,
  high: ChevronsUp,
  medium: Equal,
  low: ChevronDown,
};

const tones: Record<Tone, string> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  off: 'text-off',
};

/** How urgent something is: an icon and a word, so that it does not look like the pill of a status. */
export function Priority({ of, word, className }: { of: Priority; word?: string; className?: string }) {
  const Icon = icons[of];
  const label = maintenancePriority[of];
  return (
    <span className={cx('inline-flex items-center gap-1 align-top whitespace-nowrap', className)}>
      <Icon aria-hidden="true" className={cx('size-4 shrink-0', tones[label.tone])} />
      {word ?? label.word}
    </span>
  );
}
