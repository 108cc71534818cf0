import { useNavigate } from '@tanstack/react-router';
import { BookOpen, ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { signOut, useSession } from '../api/session.ts';
import { useAction } from '../api/writes.ts';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/overlays/menu.tsx';
import { type Theme, useTheme } from '../ui/theme.ts';

const themes: [Theme, string, typeof Sun][] = [
  ['system', 'System', Monitor],
  ['light', 'Light', Sun],
  ['dark', 'Dark', Moon],
];

/** The profile, the theme, and signing out. */
export function UserMenu({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [theme, setTheme] = useTheme();
  const { run } = useAction(() => signOut('/sign-in'));
  return (
    <Menu
      align="start"
      side="top"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-1.5 text-left hover:bg-hover"
        >
          <span className="min-w-0 grow">
            <span className="block truncate font-medium">{user?.name}</span>
            <span className="block truncate text-sm text-soft">{user?.email}</span>
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-4 shrink-0 text-faint" />
        </button>
      }
    >
      <MenuItem
        icon={<UserRound />}
        onSelect={() => {
          onNavigate?.();
          void navigate({ to: '/settings/account' });
        }}
      >
        Your profile
      </MenuItem>
      <MenuItem icon={<BookOpen />} onSelect={() => window.open('/docs', '_blank', 'noopener')}>
        API reference
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <DropdownMenu.RadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
        {themes.map(([value, name, Icon]) => (
          <DropdownMenu.RadioItem
            key={value}
            value={value}
            onSelect={(event) => event.preventDefault()}
            className="flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1.5 outline-none data-highlighted:bg-hover data-[state=checked]:font-medium data-[state=checked]:text-accent-ink [&_svg]:size-4"
          >
            <Icon aria-hidden="true" />
            {name}
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <MenuSeparator />
      <MenuItem icon={<LogOut />} onSelect={run}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
