import { Outlet, useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isTestMode } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { TestBand, UnusedNote } from '../features/test-mode/test-band.tsx';
import { IconButton } from '../ui/button.tsx';
import { formatDay, today } from '../ui/date.tsx';
import { PhoneBar } from '../ui/page.tsx';
import { NoAccount } from './fallbacks.tsx';
import { ConnectionNote, ElsewhereNote } from './notes.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';

const loadPalette = () => import('../features/palette/palette.tsx');
const Palette = lazy(loadPalette);
/** How long after the page has loaded the palette is fetched, so that it receives the first key after Ctrl-K. */
const idleMs = 1_500;

/** The frame of every page: navigation at the side, or in a drawer on small screens. */
export function Shell() {
  const { account, signed_in } = useSession();
  const router = useRouter();
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) || event.altKey) return;
      event.preventDefault();
      setPaletteOpen((open) => !open);
    };
    addEventListener('keydown', onKey);
    // If that fails, Ctrl-K fetches it again.
    const timer = setTimeout(() => loadPalette().catch(() => undefined), idleMs);
    return () => {
      clearTimeout(timer);
      removeEventListener('keydown', onKey);
    };
  }, []);
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        // Runs after the drawer or menu that led here has given the focus back to its button.
        if (fromLocation && pathChanged) setTimeout(focusPage);
      }),
    [router],
  );
  // Signed out, here or in another tab: the router leads to the sign-in page, and back afterwards.
  useEffect(() => {
    if (!signed_in) void router.invalidate();
  }, [signed_in, router]);
  if (!signed_in) return null;
  if (!account) return <NoAccount />;
  const search = () => setPaletteOpen(true);
  return (
    <div className="lg:grid lg:grid-cols-[232px_minmax(0,1fr)] print:block">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0 print:hidden"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh border-r border-line bg-side lg:block print:hidden">
        <Sidebar onSearch={search} />
      </aside>
      <TopBar onSearch={search} slot={setBar} />
      <div className="min-w-0">
        {isTestMode() ? <TestBand /> : <UnusedNote />}
        <ConnectionNote />
        <ElsewhereNote />
        <SheetHead name={account.name} />
        <main id="main" tabIndex={-1} className="outline-none">
          <PhoneBar value={bar}>
            <Outlet />
          </PhoneBar>
        </main>
      </div>
      <Shortcuts />
      {isPaletteOpen && (
        <Suspense>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Printed above every page: whose it is, and of which day. */
const SheetHead = ({ name }: { name: string }) => (
  <p className="mb-4 hidden justify-between gap-4 border-b border-line pb-2 text-sm text-soft print:flex">
    <span>
      {name}
      {isTestMode() && ' · Test mode'}
    </span>
    <time dateTime={today()}>{formatDay(today())}</time>
  </p>
);

/** Moves the keyboard to the start of a new page, unless the page has focused something itself. */
function focusPage(): void {
  const main = document.getElementById('main');
  const isTaken = main?.contains(document.activeElement) || document.querySelector('[role$="dialog"]');
  if (!isTaken) main?.focus({ preventScroll: true });
}

function TopBar({
  onSearch,
  slot,
}: {
  onSearch: () => void;
  /** Gives the page a place in the bar for its own content. If the page has none, the account's name is shown. */
  slot: (element: HTMLElement | null) => void;
}) {
  const { account } = useSession();
  const [isOpen, setOpen] = useState(false);
  return (
    <header className="sticky top-0 z-30 flex h-14 items-center gap-1 border-b border-line bg-ground px-2 lg:hidden print:hidden">
      <Dialog.Root open={isOpen} onOpenChange={setOpen}>
        <Dialog.Trigger asChild>
          <IconButton label="Menu">
            <MenuIcon />
          </IconButton>
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] bg-side shadow-pop outline-none"
          >
            <Dialog.Title className="sr-only">Menu</Dialog.Title>
            <Sidebar
              onSearch={() => {
                setOpen(false);
                onSearch();
              }}
              onNavigate={() => setOpen(false)}
            />
            <Dialog.Close asChild>
              <IconButton label="Close" className="absolute top-3 right-2">
                <X />
              </IconButton>
            </Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <div ref={slot} className="bar peer flex min-w-0 grow items-center gap-1 empty:hidden" />
      <span className="hidden min-w-0 grow truncate font-semibold peer-empty:block">{account?.name}</span>
      <IconButton label="Search" onClick={onSearch}>
        <Search />
      </IconButton>
    </header>
  );
}
