import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { Query } from '../../api/client.ts';
import { cx } from '../class-names.ts';
// Imported directly, because a page with a table may not need the controls of filters.
import { useFilters } from './use-filters.ts';

/** The order of a list is in the address, like its filters. */
export function useSort() {
  const { filters, set } = useFilters(['sort']);
  const onSort = (sort: string | undefined) => set({ sort });
  return { sort: filters.sort, onSort };
}

/** A list's filter with its order. */
export const useSorted = (filter: Query): Query => {
  const { sort } = useSort();
  return sort === undefined ? filter : { ...filter, sort };
};

/** Ascending, then descending, then unsorted. */
const next = (field: string, sort: string | undefined): string | undefined =>
  sort === field ? `-${field}` : sort === `-${field}` ? undefined : field;

export const ariaSort = (field: string, sort: string | undefined) =>
  sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none';

export function SortButton({ name, field, isRight }: { name: string; field: string; isRight: boolean }) {
  const { sort, onSort } = useSort();
  const Arrow = sort === field ? ArrowUp : sort === `-${field}` ? ArrowDown : ArrowUpDown;
  return (
    <button
      type="button"
      onClick={() => onSort(next(field, sort))}
      // In a column of figures the arrow comes before the name, so that the name stays above the figures.
      className={cx(
        'group inline-flex h-9 items-center gap-1 font-medium hover:text-ink',
        isRight && 'flex-row-reverse',
      )}
    >
      {name}
      <Arrow
        aria-hidden="true"
        className={
          sort?.endsWith(field)
            ? 'size-3.5'
            : 'size-3.5 opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60'
        }
      />
    </button>
  );
}
