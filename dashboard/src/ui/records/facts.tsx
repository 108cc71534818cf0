import type { ReactNode } from 'react';
import { cx } from '../class-names.ts';
import { Section } from '../page.tsx';

/** A name and a value. */
export type Fact = [string, ReactNode];

/** Facts about a record, one below the other or side by side. Empty values are left out. */
export function Facts({ of, columns = 1 }: { of: Fact[]; columns?: 1 | 2 | 'across' }) {
  const isAcross = columns === 'across';
  return (
    <dl
      className={cx(
        'gap-x-8 gap-y-2.5',
        isAcross ? 'grid sm:flex sm:flex-wrap sm:gap-x-10' : 'grid',
        columns === 2 && 'sm:grid-cols-2',
      )}
    >
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div
            key={name}
            className={cx('grid grid-cols-[112px_1fr] gap-x-3', isAcross && 'sm:block sm:max-w-[60ch]')}
          >
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export const Details = (props: Parameters<typeof Facts>[0]) => (
  <Section title="Details">
    <Facts {...props} />
  </Section>
);
