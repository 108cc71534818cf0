import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useCanWrite } from '../api/session.ts';
import { recall, remember } from '../api/storage.ts';
import { Check } from '../ui/forms/check.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';

const pages: [key: string, name: string, to: string][] = [
  ['h', 'Home', '/'],
  ['p', 'Properties', '/properties'],
  ['u', 'Units', '/units'],
  ['t', 'Tenants', '/tenants'],
  ['l', 'Leases', '/leases'],
  ['y', 'Payments', '/payments'],
  ['o', 'Overdue', '/overdue'],
  ['m', 'Maintenance', '/maintenance'],
  ['r', 'Reports', '/reports'],
  ['s', 'Settings', '/settings'],
];

/** What `c` adds, by the first part of the address. */
const forms: Record<string, { to: string; search?: Record<string, string> }> = {
  properties: { to: '/properties/new' },
  units: { to: '/properties/new' },
  tenants: { to: '/tenants/new' },
  leases: { to: '/leases/new' },
  payments: { to: '/payments', search: { record: 'new' } },
  maintenance: { to: '/maintenance/new' },
};

/** How long after the first key the second one may follow. */
const pauseMs = 1_500;

/** Keys without Ctrl can be turned off, because people who dictate to their computer type letters by accident. */
const isOff = () => recall('shortcuts') === 'off';

/** Listens for single keys while nobody types, and shows what they do. */
export function Shortcuts() {
  const navigate = useNavigate();
  const canWrite = useCanWrite();
  const [isOpen, setOpen] = useState(false);
  const pressed = useRef({ key: '', at: 0 });
  useEffect(() => {
    const go = (to: string, search: Record<string, string> = {}) =>
      void navigate({ to, search: search as never });
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event.target))
        return;
      const { key } = event;
      const isSecond = pressed.current.key === 'g' && event.timeStamp - pressed.current.at < pauseMs;
      pressed.current = { key: isSecond ? '' : key, at: event.timeStamp };
      if (key === '?') return setOpen(true);
      if (isOff()) return;
      const page = isSecond && pages.find(([letter]) => letter === key);
      if (page) return go(page[2]);
      const [, noun = ''] = location.pathname.split('/');
      const form = forms[noun];
      if (key === 'c' && canWrite && form) {
        event.preventDefault();
        go(form.to, form.search);
      }
      if (key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (search) event.preventDefault();
        search?.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate, canWrite]);
  return isOpen && <ShortcutList onClose={() => setOpen(false)} />;
}

/** Whether the key belongs to a field, a menu or a dialog. */
const isTaken = (target: EventTarget | null): boolean =>
  document.querySelector('[role$="dialog"], [role="menu"]') !== null ||
  (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null);

const others: [keys: string[], what: string][] = [
  [['Ctrl', 'K'], 'Search for anything'],
  [['/'], 'Search this list'],
  [['c'], 'Add a record to this list'],
  [['?'], 'Show these shortcuts'],
];

function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-x-8 gap-y-2 sm:grid-cols-2">
        {others.map(([keys, what]) => (
          <Shortcut key={what} keys={keys} what={what} />
        ))}
        {pages.map(([key, name]) => (
          <Shortcut key={name} keys={['g', key]} what={`Go to ${name}`} />
        ))}
      </dl>
      <div className="mt-5 border-t border-line pt-4">
        <Check
          name="shortcuts"
          label="Use single-key shortcuts"
          about="Ctrl K and ? work either way."
          isOn={!isOff()}
          onChange={(isOn) => remember('shortcuts', isOn ? null : 'off')}
        />
      </div>
    </Dialog>
  );
}

const Shortcut = ({ keys, what }: { keys: string[]; what: string }) => (
  <div className="flex items-center justify-between gap-4">
    <dt>{what}</dt>
    <dd className="flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="min-w-6 rounded border border-line-strong px-1.5 text-center font-sans text-sm text-soft"
        >
          {key}
        </kbd>
      ))}
    </dd>
  </div>
);
