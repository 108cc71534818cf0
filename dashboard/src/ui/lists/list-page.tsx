import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Noun } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../button.tsx';
import { Page } from '../page.tsx';
import { ExportLink } from './export-link.tsx';
import { FilterBar } from './filters.tsx';
import { RecordList, type RecordListProps, Total } from './record-list.tsx';

interface Props<N extends Noun> extends Omit<RecordListProps<N>, 'label'> {
  title: string;
  /** The list's own label, if it differs from the title. */
  label?: string;
  /** The label of the button that adds a record. It leads to the form, unless `onAdd` says otherwise. */
  add: string;
  onAdd?: () => unknown;
  filters: ReactNode;
  onClear: (() => void) | undefined;
  /** Shown above the list. */
  children?: ReactNode;
  /** Shown in place of the list. */
  instead?: ReactNode;
}

/** The page of a list: export and add, filters, then the list. */
export function ListPage<N extends Noun>(props: Props<N>) {
  const { title, label = title, add, onAdd, filters, onClear, children, instead, ...list } = props;
  const navigate = useNavigate();
  const open = onAdd ?? (() => navigate({ to: `/${list.noun}/new` }));
  return (
    <Page
      title={title}
      actions={
        <>
          <ExportLink path={`/${list.noun}`} filter={list.filter} />
          {useCanWrite() && (
            <Button kind="main" icon={<Plus />} onClick={() => open()}>
              {add}
            </Button>
          )}
        </>
      }
    >
      <FilterBar onClear={onClear} total={!instead && <Total noun={list.noun} filter={list.filter} />}>
        {filters}
      </FilterBar>
      {children}
      {instead ?? <RecordList label={label} {...list} />}
    </Page>
  );
}
