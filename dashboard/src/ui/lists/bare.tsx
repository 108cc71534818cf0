import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import type { Query } from '../../api/client.ts';
import { first, list } from '../../api/queries.ts';
import type { ListName } from '../../api/records.ts';
import { useCanWrite } from '../../api/session.ts';
import { buttonClass } from '../button.tsx';
import { Empty } from '../states.tsx';
import { useSorted } from './sort.tsx';

/**
 * Whether the account has nothing yet that the list could show, so that there is nothing to filter or export. The list
 * is empty, and so is `of` without the list's built-in filters.
 */
export function useIsBare(
  noun: ListName,
  filter: Query,
  isUnfiltered: boolean,
  of: ListName = noun,
): boolean {
  const { data, isPlaceholderData } = useInfiniteQuery({
    ...list(noun, useSorted(filter)),
    enabled: isUnfiltered,
  });
  const isEmpty = isUnfiltered && !isPlaceholderData && data?.pages[0]?.data.length === 0;
  // A list without filters of its own already shows this.
  const isWhole = of === noun && Object.values(filter).every((value) => value === undefined);
  const hasNone = useHasNone(of, isEmpty && !isWhole);
  return isEmpty && (isWhole || hasNone);
}

/** Whether the account has no record of a kind at all. Asks only if that may be so. */
export function useHasNone(noun: ListName, mayBe: boolean): boolean {
  const any = useQuery({ ...first(noun, {}, 1), enabled: mayBe });
  return mayBe && any.data?.length === 0;
}

/** Whether the list has something to show. */
export function useHasRows(noun: ListName, filter: Query): boolean {
  const { data } = useInfiniteQuery(list(noun, useSorted(filter)));
  return (data?.pages[0]?.data.length ?? 0) > 0;
}

/** For places where a property is needed first: the way to add one, for people who may. */
export function EmptyWithoutProperty({ title, children }: { title: string; children: string }) {
  const canWrite = useCanWrite();
  return (
    <Empty
      title={title}
      actions={
        canWrite && (
          <>
            <Link to="/properties/new" className={buttonClass('main')}>
              Add property
            </Link>
            <ImportLink />
          </>
        )
      }
    >
      {children}
    </Empty>
  );
}

export const ImportLink = () => (
  <Link to="/settings/import" className={buttonClass()}>
    <Upload aria-hidden="true" />
    Import a spreadsheet
  </Link>
);
