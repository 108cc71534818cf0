import { Link, Outlet } from '@tanstack/react-router';
import { ExternalLink } from 'lucide-react';

const tabs = [
  ['/settings/account', 'Account'],
  ['/settings/team', 'Team'],
  ['/settings/api-keys', 'API keys'],
  ['/settings/webhooks', 'Webhooks'],
] as const;

const tab = 'flex h-11 items-center gap-1.5 border-b-2 border-transparent text-soft hover:text-ink';

export function SettingsLayout() {
  return (
    <>
      <nav aria-label="Settings" className="border-b border-line">
        <div className="mx-auto flex max-w-[1264px] flex-wrap gap-x-6 px-4 sm:px-8">
          {tabs.map(([to, name]) => (
            <Link
              key={to}
              to={to}
              className={tab}
              activeProps={{ className: 'border-accent! text-ink! font-medium' }}
            >
              {name}
            </Link>
          ))}
          <a href="/docs" target="_blank" rel="noopener" className={`${tab} max-sm:hidden`}>
            API reference <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        </div>
      </nav>
      <Outlet />
    </>
  );
}
