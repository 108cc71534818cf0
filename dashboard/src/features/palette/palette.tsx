import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  ArrowRight,
  Building2,
  CreditCard,
  DoorOpen,
  FileText,
  type LucideIcon,
  Plus,
  Users,
  Wrench,
} from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react';
import { get } from '../../api/client.ts';
import type { SearchResult } from '../../api/records.ts';
import { useCanWrite, useIsOwner } from '../../api/session.ts';
import { useFilters } from '../../ui/lists/use-filters.ts';
import { useSettled } from '../../ui/settled.ts';
import { actions, type Destination, pages } from './destinations.ts';

const kinds: Record<SearchResult['type'], [path: string, icon: LucideIcon]> = {
  property: ['/properties', Building2],
  unit: ['/units', DoorOpen],
  tenant: ['/tenants', Users],
  lease: ['/leases', FileText],
  payment: ['/payments', CreditCard],
  maintenance_request: ['/maintenance', Wrench],
};

type Go = (destination: Pick<Destination, 'to' | 'search' | 'isOutside'>) => void;

/** Jump to any record, page or action. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const here = useFilters<string>([]);
  const canWrite = useCanWrite();
  const isOwner = useIsOwner();
  const [text, setText] = useState('');
  const [selected, setSelected] = useState('');
  const [isMoved, setMoved] = useState(false);
  const [isEntered, setEntered] = useState(false);
  const q = useSettled(text.trim(), 120);
  const search = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => get<SearchResult[]>('/search', { q }, signal),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const records = q === '' ? [] : byWeight(search.data ?? []);
  // Until then the records belong to an earlier text.
  const isFresh = q === text.trim() && (q === '' || !(search.isPending || search.isPlaceholderData));
  const go: Go = ({ to, search = {}, isOutside }) => {
    onClose();
    if (isOutside) window.open(to, '_blank', 'noopener');
    else void navigate({ to, search: search as never });
  };
  /** An action of the current page keeps its filters. */
  const act: Go = ({ to, search = {} }) => {
    if (location.pathname !== to) return go({ to, search });
    onClose();
    void here.set(search);
  };
  const open = (record: SearchResult) => go({ to: `${kinds[record.type][0]}/${record.id}` });
  const fits = ({ name, isForOwners }: Destination) =>
    name.toLowerCase().includes(text.trim().toLowerCase()) && (isOwner || !isForOwners);
  const fittingPages = pages.filter(fits);
  const fittingActions = canWrite ? actions.filter(fits) : [];
  const isDestination = [...fittingPages, ...fittingActions].some(({ name }) => name === selected);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setMoved(true);
    if (event.key !== 'Enter' || isFresh || isDestination || isMoved) return;
    // Enter was pressed before the results came, so the first one is opened when they arrive.
    event.preventDefault();
    setEntered(true);
  };
  useEffect(() => {
    if (!isEntered || !isFresh) return;
    setEntered(false);
    // What would be selected by now.
    const [record, page, action] = [records[0], fittingPages[0], fittingActions[0]];
    if (record) open(record);
    else if (page) go(page);
    else if (action) act(action);
  });
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
        <Dialog.Content
          aria-describedby={undefined}
          className="pop-in fixed inset-x-3 top-[10vh] z-50 mx-auto max-w-[560px] overflow-hidden rounded-xl bg-raised shadow-pop outline-none"
        >
          <Dialog.Title className="sr-only">Go to</Dialog.Title>
          <Command
            shouldFilter={false}
            loop
            label="Go to"
            value={selected}
            onValueChange={setSelected}
            onKeyDown={onKeyDown}
          >
            <Command.Input
              value={text}
              onValueChange={(to) => {
                setText(to);
                setMoved(false);
                setEntered(false);
              }}
              aria-busy={isEntered || undefined}
              placeholder="Find a property, a tenant, an amount, a page…"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none"
            />
            <Command.List className="max-h-[60vh] overflow-y-auto p-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-soft">
              <Command.Empty className="px-2 py-6 text-center text-soft">
                {isFresh ? 'Nothing found' : 'Searching…'}
              </Command.Empty>
              <Group
                heading="Records"
                entries={records.map((record) => {
                  const [, Icon] = kinds[record.type];
                  const { id, title, subtitle } = record;
                  return { id, name: title, about: subtitle, icon: <Icon />, onSelect: () => open(record) };
                })}
              />
              <Group heading="Pages" entries={asEntries(fittingPages, <ArrowRight />, go)} />
              <Group heading="Actions" entries={asEntries(fittingActions, <Plus />, act)} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** A name also finds the records that belong to it. After properties and people, a few of each kind are enough. */
const few = 5;
const byWeight = (found: SearchResult[]): SearchResult[] => {
  const isNamed = ({ type }: SearchResult) => type === 'property' || type === 'tenant';
  const others = Object.groupBy(
    found.filter((each) => !isNamed(each)),
    ({ type }) => type,
  );
  return [
    ...found.filter(isNamed),
    ...Object.values(others).flatMap((ofKind) => (ofKind ?? []).slice(0, few)),
  ];
};

interface Entry {
  id: string;
  name: string;
  about?: string | null;
  icon: ReactNode;
  onSelect: () => void;
}

const asEntries = (destinations: Destination[], icon: ReactNode, go: Go): Entry[] =>
  destinations.map((to) => ({ id: to.name, name: to.name, icon, onSelect: () => go(to) }));

function Group({ heading, entries }: { heading: string; entries: Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <Command.Group heading={heading}>
      {entries.map(({ id, name, about, icon, onSelect }) => (
        <Command.Item
          key={id}
          value={id}
          onSelect={onSelect}
          className="flex min-h-9 items-center gap-3 rounded-md px-2 py-1.5 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-faint"
        >
          {icon}
          <span className="min-w-0 truncate">{name}</span>
          {about && <span className="ml-auto min-w-0 truncate text-sm text-soft">{about}</span>}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
