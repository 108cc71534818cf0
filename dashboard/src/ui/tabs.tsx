import { Link, Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export const tabClass =
  'flex h-11 items-center gap-1.5 border-b-2 border-transparent text-soft hover:text-ink';

/** Links to pages that belong together. */
function Tabs({
  label,
  tabs,
  children,
}: {
  label: string;
  tabs: readonly (readonly [to: string, name: string])[];
  children?: ReactNode;
}) {
  return (
    <nav aria-label={label} className="border-b border-line">
      <div className="mx-auto flex max-w-[1264px] flex-wrap gap-x-6 px-4 sm:px-8">
        {tabs.map(([to, name]) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ includeSearch: false }}
            className={tabClass}
            activeProps={{ className: 'border-accent! text-ink! font-medium' }}
          >
            {name}
          </Link>
        ))}
        {children}
      </div>
    </nav>
  );
}

export const TabsLayout = (props: Parameters<typeof Tabs>[0]) => (
  <>
    <Tabs {...props} />
    <Outlet />
  </>
);
