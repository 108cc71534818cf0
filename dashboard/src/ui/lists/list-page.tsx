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
  /** The path of the list, in the dashboard and in the API. */
  path: string;
  filter: Query;
  /** The label of the button that adds a record. It leads to the form, unless `onAdd` says otherwise. */
  add: string;
  onAdd?: () => unknown;
  filters: ReactNode;
  onClear: (() => void) | undefined;
  children: ReactNode;
}

/** The page of a list: export and add, filters, then the list. */
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
