import { type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Query } from '../../api/client.ts';
import { list } from '../../api/queries.ts';
import type { ListName, Lists, Noun } from '../../api/records.ts';
import { Button } from '../button.tsx';
import { cx } from '../class-names.ts';
import { Empty, Problem } from '../states.tsx';
import { count } from '../words.ts';
import type { Chosen } from './bulk.tsx';
import { Failures, type Outcome, SelectionBar, useSelection } from './selection.tsx';
import { useSorted } from './sort.tsx';
import { Table } from './table.tsx';
import type { Column } from './width/column.ts';

interface PagedListProps<N extends ListName> {
  noun: N;
  filter: Query;
  label: string;
  columns: Column<Lists[N]>[];
  rowKey: (row: Lists[N]) => string;
  rowLink: (row: Lists[N]) => string;
  isFiltered: boolean;
  /** Shown when the list is empty without any filter. */
  empty: ReactNode;
  /** What can be done with the chosen rows, beside exporting them. */
  actions?: (chosen: Chosen<Lists[N]>) => ReactNode;
}

/** A list that loads more as the reader scrolls. */
export function PagedList<N extends ListName>({
  noun,
  filter,
  columns,
  isFiltered,
  empty,
  actions,
  ...table
}: PagedListProps<N>) {
  const sorted = useSorted(filter);
  const query = useInfiniteQuery(list(noun, sorted));
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const selection = useSelection(`${noun} ${JSON.stringify(filter)}`);
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  if (query.isPending) return <TableSkeleton columns={columns as Column<never>[]} />;
  if (query.isError && rows.length === 0)
    return <Problem error={query.error} onRetry={() => query.refetch()} />;
  const refused = outcome && <Failures of={outcome} onClose={() => setOutcome(null)} />;
  if (rows.length === 0)
    return (
      <>
        {isFiltered ? <NothingFits /> : empty}
        {refused}
      </>
    );
  const chosen = rows.filter((row) => selection.keys.has(table.rowKey(row)));
  return (
    <div
      className={cx(query.isPlaceholderData && 'opacity-60 transition-opacity')}
      aria-busy={query.isPlaceholderData}
    >
      <Table {...table} rows={rows} columns={columns} isFixed selection={selection} />
      <More query={query} loaded={rows.length} />
      <SelectionBar rows={chosen} file={noun} onClear={selection.clear}>
        {actions?.({ rows: chosen, keyOf: table.rowKey, keep: selection.keep, report: setOutcome })}
      </SelectionBar>
      {refused}
    </div>
  );
}

/** The server counts no further. */
const mostCounted = 100_000;

/** How many there are on all pages. The number comes with the first page of the same list. */
export function Total<N extends ListName>({
  noun,
  filter,
  one = 'record',
}: Pick<PagedListProps<N>, 'noun' | 'filter'> & { one?: string }) {
  const { data } = useInfiniteQuery(list(noun, useSorted(filter)));
  const total = data?.pages[0]?.total;
  return total ? (
    <span className="figures text-sm whitespace-nowrap text-soft max-sm:ml-auto">
      {total >= mostCounted ? `${total.toLocaleString()}+ ${one}s` : count(total, one)}
    </span>
  ) : null;
}

export type RecordListProps<N extends Noun> = Omit<PagedListProps<N>, 'rowKey' | 'rowLink'>;

/** The same for records, each of which has a page of its own. */
export const RecordList = <N extends Noun>(props: RecordListProps<N>) => (
  <PagedList {...props} rowKey={(row) => row.id} rowLink={(row) => `/${props.noun}/${row.id}`} />
);

export const NothingFits = () => <Empty title="Nothing matches these filters" />;

function More({ query, loaded }: { query: UseInfiniteQueryResult; loaded: number }) {
  const { hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const end = ref.current;
    if (!end || !hasNextPage || isFetchingNextPage || isError) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && fetchNextPage(),
      // Two screens ahead, so that steady scrolling never reaches the end.
      { rootMargin: '1600px' },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={ref} className="flex justify-center py-4">
      <p className="hidden print:block">
        These are the first {loaded.toLocaleString()} rows; there are more. Export has them all.
      </p>
      <Button onClick={() => fetchNextPage()} isBusy={isFetchingNextPage}>
        {isFetchingNextPage ? 'Loading more…' : 'Load more'}
      </Button>
    </div>
  );
}

/** The shape of a table that is still loading. */
export function TableSkeleton({ columns, rows = 8 }: { columns: Column<never>[]; rows?: number }) {
  const shapes = columns.map(({ amounts: _, ...column }, index) => ({
    ...column,
    cell: () => (
      <div
        className={cx('skeleton h-4', index === 0 ? 'w-40' : 'w-20', column.align === 'right' && 'ml-auto')}
      />
    ),
  }));
  return (
    <div aria-hidden="true">
      <Table
        label=""
        rows={Array.from({ length: rows }, (_, row) => row)}
        columns={shapes}
        rowKey={String}
        isFixed
      />
    </div>
  );
}
