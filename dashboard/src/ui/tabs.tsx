import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';

export const tabClass =
  'flex h-11 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-soft hover:text-ink';

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
  const { pathname } = useLocation();
  const nav = useRef<HTMLElement>(null);
  // On a phone the row scrolls sideways. With the current tab in the middle, the others show on both sides.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another tab
  useEffect(() => {
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={label} className="border-b border-line">
      <div className="mx-auto flex max-w-[1264px] gap-x-6 overflow-x-auto px-4 [scrollbar-width:none] sm:px-8">
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
