import type { ReactNode } from 'react';
import { messageOf } from '../api/writes.ts';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';

/** For an empty list: says what belongs here and how to add it. */
export function Empty({
  title,
  children,
  actions,
  isSmall,
}: {
  title: string;
  children?: ReactNode;
  /** Buttons that start something; the main one comes first. */
  actions?: ReactNode;
  isSmall?: boolean;
}) {
  return (
    <div
      className={cx(
        'flex flex-col items-center justify-center rounded-lg border border-dashed border-line-strong px-6 text-center',
        // On a phone it may come right below the bar.
        isSmall ? 'py-6' : 'py-16 max-sm:mt-2',
      )}
    >
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-[44ch] text-soft">{children}</div>}
      {actions && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

/** For data that could not be fetched: says why, and offers to try again. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  return (
    <div
      role="alert"
      className="flex flex-col items-center rounded-lg border border-line px-6 py-12 text-center"
    >
      <p className="font-medium">This could not be loaded</p>
      <p className="mt-1 max-w-[52ch] text-soft">{messageOf(error)}</p>
      <Button className="mt-4" onClick={() => onRetry()}>
        Try again
      </Button>
    </div>
  );
}

interface Fetched<Data> {
  data: Data | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** Renders fetched data; until it arrives, a skeleton or the error. */
export function Loaded<Data>({
  query: { data, error, refetch },
  waiting = <Skeleton count={8} />,
  children,
}: {
  query: Fetched<Data>;
  waiting?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  if (data !== undefined) return children(data);
  return error ? <Problem error={error} onRetry={refetch} /> : waiting;
}

/** The shape of text that is still loading. */
export function Skeleton({ count = 3, className }: { count?: number; className?: string }) {
  return (
    <div aria-hidden="true" className={cx('flex flex-col gap-3', className)}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all lines are alike
        <div key={index} className="skeleton h-4" style={{ width: `${90 - ((index * 23) % 50)}%` }} />
      ))}
    </div>
  );
}
