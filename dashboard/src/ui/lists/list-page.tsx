import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Noun } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { Button } from '../button.tsx';
import { Page } from '../page.tsx';
import { Empty } from '../states.tsx';
import { SaveView } from '../views/save-view.tsx';
import type { View, ViewedList } from '../views/use-views.ts';
import { Views } from '../views/views.tsx';
import { ImportLink, useHasNone, useIsBare } from './bare.tsx';
import { ExportLink } from './export-link.tsx';
import { FilterBar, SortSelect } from './filters.tsx';
import { RecordList, type RecordListProps, Total } from './record-list.tsx';

interface Props<N extends Noun & ViewedList> extends Omit<RecordListProps<N>, 'label' | 'empty'> {
  title: string;
  /** The list's own label, if it differs from the title. */
  label?: string;
  /** The label of the button that adds a record. It leads to the form, unless `onAdd` says otherwise. */
  add: string;
  onAdd?: () => unknown;
  filters: ReactNode;
  onClear: (() => void) | undefined;
  /** What belongs here, in a sentence, for an account that has none yet. */
  empty: { title: string; text: string };
  /** Predefined views of the list. */
  views?: View[];
  /** Shown above the list. */
  children?: ReactNode;
  /** Shown instead of the list. */
  instead?: ReactNode;
  /** Whether `instead` shows nothing. */
  isInsteadEmpty?: boolean;
}

/** The page of a list: export and add, filters, then the list. If there is nothing yet, only how to start. */
export function ListPage<N extends Noun & ViewedList>(props: Props<N>) {
  const {
    title,
    label = title,
    add,
    onAdd,
    filters,
    onClear,
    children,
    instead,
    isInsteadEmpty = false,
    empty,
    views,
    ...shown
  } = props;
  const navigate = useNavigate();
  const open = onAdd ?? (() => navigate({ to: `/${shown.noun}/new` }));
  const isListBare = useIsBare(shown.noun, shown.filter, !shown.isFiltered && !instead);
  const isInsteadBare = useHasNone(shown.noun, !shown.isFiltered && isInsteadEmpty);
  const addButton = useCanWrite() && (
    <Button kind="main" icon={<Plus />} onClick={() => open()}>
      {add}
    </Button>
  );
  const isBare = isListBare || isInsteadBare;
  const total = !isBare && !instead && <Total noun={shown.noun} filter={shown.filter} />;
  const start = addButton && (
    <>
      {addButton}
      <ImportLink />
    </>
  );
  // One page for both cases, so that a dialog somebody opened while the list was loading stays open.
  return (
    <Page
      title={title}
      isList
      total={total}
      actions={
        !isBare && (
          <>
            <ExportLink path={`/${shown.noun}`} filter={shown.filter} />
            {addButton}
          </>
        )
      }
    >
      {!isBare && (
        <>
          <Views list={shown.noun} ready={views} />
          <FilterBar onClear={onClear} save={<SaveView list={shown.noun} ready={views} />} total={total}>
            {filters}
            {!instead && <SortSelect columns={shown.columns} />}
          </FilterBar>
        </>
      )}
      {children}
      {isBare ? (
        <Empty title={empty.title} actions={start}>
          {empty.text}
        </Empty>
      ) : (
        (instead ?? (
          <RecordList label={label} {...shown} empty={<Empty title={empty.title}>{empty.text}</Empty>} />
        ))
      )}
    </Page>
  );
}
