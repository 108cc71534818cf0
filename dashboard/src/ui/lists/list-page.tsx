import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Query } from '../../api/client.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../button.tsx';
import { Page } from '../page.tsx';
import { ExportLink } from './export-link.tsx';
import { FilterBar } from './filters.tsx';

interface Props {
  title: string;
  /** Of the list, here and in the API. */
  path: string;
  filter: Query;
  /** What the button that makes another record says, and does if it leads to no page of its own. */
  add: string;
  onAdd?: () => unknown;
  filters: ReactNode;
  onClear: (() => void) | undefined;
  children: ReactNode;
}

/** The page of a list: what to do with it, what to show of it, and the list itself below. */
export function ListPage({ title, path, filter, add, onAdd, filters, onClear, children }: Props) {
  const navigate = useNavigate();
  const open = onAdd ?? (() => navigate({ to: `${path}/new` }));
  return (
    <Page
      title={title}
      actions={
        <>
          <ExportLink path={path} filter={filter} />
          {useCanWrite() && (
            <Button kind="main" icon={<Plus />} onClick={() => open()}>
              {add}
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={onClear}>{filters}</FilterBar>
      {children}
    </Page>
  );
}
