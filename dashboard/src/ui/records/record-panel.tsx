import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { first } from '../../api/queries.ts';
import type { Noun, Records } from '../../api/records.ts';
import { TextLink } from '../lists/names.tsx';
import type { Column } from '../lists/width/column.ts';
import { Panel } from './panel.tsx';

/** The first records of a list, on the page of another record, with a link to all of them. */
export function RecordPanel<N extends Noun>({
  noun,
  filter,
  shown,
  search = filter,
  ...panel
}: {
  noun: N;
  filter: Record<string, string>;
  /** How many, at most. */
  shown: number;
  /** The filters for the link to all of them, if they differ. */
  search?: Record<string, string>;
  title: string;
  columns: Column<Records[N]>[];
  empty: string;
  actions?: ReactNode;
}) {
  const query = useQuery(first(noun, filter, shown));
  const isMore = (query.data?.length ?? 0) >= shown;
  return (
    <Panel
      query={query}
      rowLink={(row) => `/${noun}/${row.id}`}
      more={
        isMore && (
          <TextLink to={`/${noun}`} search={search}>
            Show all
          </TextLink>
        )
      }
      {...panel}
    />
  );
}
