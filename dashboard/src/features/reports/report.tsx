import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get, type Query } from '../../api/client.ts';
import { cx } from '../../ui/class-names.ts';
import { TableSkeleton } from '../../ui/lists/record-list.tsx';
import { type Column, Table, type TableProps } from '../../ui/lists/table.tsx';
import { Problem } from '../../ui/states.tsx';

interface Props<Row> extends Omit<TableProps<Row>, 'rows'> {
  path: string;
  filter: Query;
  totals: (rows: Row[]) => ReactNode;
  empty: ReactNode;
}

/** A report: what it comes to, then its rows. It is never paged. */
export function Report<Row>({ path, filter, totals, empty, ...table }: Props<Row>) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [path, filter],
    queryFn: ({ signal }) => get<Row[]>(path, filter, signal),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <Problem error={error} onRetry={refetch} />;
  if (!data) return <TableSkeleton columns={table.columns as Column<never>[]} />;
  if (data.length === 0) return <>{empty}</>;
  return (
    <div className={cx(isPlaceholderData && 'opacity-60 transition-opacity')}>
      {totals(data)}
      <Table rows={data} {...table} />
    </div>
  );
}
