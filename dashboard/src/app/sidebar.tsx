import { Link } from '@tanstack/react-router';
import {
  Building2,
  CalendarClock,
  ChartNoAxesColumn,
  Check,
  ChevronsUpDown,
  CreditCard,
  FileText,
  FlaskConical,
  House,
  type LucideIcon,
  Search,
  Settings,
  Users,
  Wrench,
} from 'lucide-react';
import { isTestMode } from '../api/client.ts';
import { startAfresh, useSession } from '../api/session.ts';
import { post, useAction } from '../api/writes.ts';
import { enterMode } from '../features/test-mode/test-band.tsx';
import { Menu, MenuItem, MenuLabel } from '../ui/overlays/menu.tsx';
import { UserMenu } from './user-menu.tsx';

const pages: [to: string, name: string, icon: LucideIcon][] = [
  ['/', 'Home', House],
  ['/properties', 'Properties', Building2],
  ['/tenants', 'Tenants', Users],
  ['/leases', 'Leases', FileText],
  ['/payments', 'Payments', CreditCard],
  ['/overdue', 'Overdue', CalendarClock],
  ['/maintenance', 'Maintenance', Wrench],
  ['/reports', 'Reports', ChartNoAxesColumn],
  ['/settings', 'Settings', Settings],
];

const itemClass =
  'flex h-9 w-full items-center gap-2.5 rounded-md px-2.5 font-medium text-soft hover:bg-hover hover:text-ink lg:h-8 [&_svg]:size-4 [&_svg]:shrink-0';

export function Sidebar({ onSearch, onNavigate }: { onSearch: () => void; onNavigate?: () => void }) {
  return (
    <div className="flex h-full flex-col gap-3 overflow-y-auto p-3">
      <AccountSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-9 w-full items-center gap-2.5 rounded-md border border-line-strong bg-ground px-2.5 text-soft hover:text-ink lg:h-8 [&_svg]:size-4"
      >
        <Search aria-hidden="true" />
        Search
        <kbd className="ml-auto font-sans text-xs text-faint max-lg:hidden">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <nav aria-label="Main" className="flex flex-col gap-0.5">
        {pages.map(([to, name, Icon]) => (
          <Link
            key={to}
            to={to}
            onClick={onNavigate}
            activeOptions={{ exact: to === '/', includeSearch: false }}
            className={itemClass}
            activeProps={{ className: 'bg-line text-ink! hover:bg-line' }}
          >
            <Icon aria-hidden="true" />
            {name}
          </Link>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-0.5">
        <ModeSwitch />
        <UserMenu onNavigate={onNavigate} />
      </div>
    </div>
  );
}

/** Test mode is one step away, and the band across the page leads back. */
const ModeSwitch = () => (
  <button
    type="button"
    aria-pressed={isTestMode()}
    onClick={() => enterMode(isTestMode() ? 'live' : 'test')}
    className={itemClass}
  >
    <FlaskConical aria-hidden="true" />
    {isTestMode() ? 'Leave test mode' : 'Test mode'}
  </button>
);

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The account's name, and for members of several accounts a menu to switch. */
function AccountSwitch() {
  const { account, accounts } = useSession();
  const { run } = useAction(async (id: string) => {
    await post('/account/switch', { account_id: id });
    await startAfresh('/');
  });
  const name = (
    <>
      <img src="/favicon.svg" alt="" className="size-6 shrink-0" />
      <span className="min-w-0 truncate font-semibold">{account?.name}</span>
    </>
  );
  if (accounts.length < 2)
    return <div className="flex h-9 items-center gap-2.5 px-1.5 pr-10 lg:pr-1.5">{name}</div>;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex h-9 items-center gap-2.5 rounded-md px-1.5 text-left hover:bg-hover max-lg:mr-9"
        >
          {name}
          <ChevronsUpDown aria-hidden="true" className="ml-auto size-4 shrink-0 text-faint" />
          <span className="sr-only">Switch account</span>
        </button>
      }
    >
      <MenuLabel>Accounts</MenuLabel>
      {accounts.map((other) => (
        <MenuItem key={other.id} onSelect={() => other.id !== account?.id && run(other.id)}>
          <span className="min-w-0 grow truncate">{other.name}</span>
          {other.id === account?.id && <Check />}
        </MenuItem>
      ))}
    </Menu>
  );
}
