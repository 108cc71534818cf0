import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Table } from '../lists/table.tsx';
import type { Column } from '../lists/width/column.ts';
import { Section } from '../page.tsx';
import { Loaded, Skeleton } from '../states.tsx';

interface Props<Row> {
  title: string;
  query: Pick<UseQueryResult<Row[], Error>, 'error' | 'refetch'> & { data: Row[] | undefined };
  columns: Column<Row>[];
  rowLink?: (row: Row) => string;
  /** A sentence for an empty list. */
  empty: string;
  actions?: ReactNode;
  more?: ReactNode;
  /** The columns keep their widths. */
  isFixed?: boolean;
  /** The key of the row that somebody came for. */
  marked?: string | undefined;
}

/** A short list of records on the page of another record. */
export function Panel<Row extends { id: string }>({
  title,
  query,
  columns,
  rowLink,
  empty,
  actions,
  more,
  isFixed = false,
  marked,
}: Props<Row>) {
  return (
    <Section title={title} actions={actions}>
      <Loaded query={query} waiting={<Skeleton count={3} />}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="border-t border-line pt-3 text-soft">{empty}</p>
          ) : (
            <Table
              label={title}
              rows={rows}
              columns={columns}
              rowKey={(row) => row.id}
              {...(rowLink ? { rowLink } : {})}
              isSticky={false}
              isFixed={isFixed}
              marked={marked}
            />
          )
        }
      </Loaded>
      {more && <div className="pt-3">{more}</div>}
    </Section>
  );
}
