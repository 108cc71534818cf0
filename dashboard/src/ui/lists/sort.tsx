import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import type { Query } from '../../api/client.ts';
import { useIsPhone } from '../media.ts';
import { SelectFilter, useFilters } from './filters.tsx';

/** The order of a list is in the address, as its filters are. */
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

/** Up, then down, then as it was. */
const next = (field: string, sort: string | undefined): string | undefined =>
  sort === field ? `-${field}` : sort === `-${field}` ? undefined : field;

export const ariaSort = (field: string, sort: string | undefined) =>
  sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : 'none';

export function SortButton({ name, field }: { name: string; field: string }) {
  const { sort, onSort } = useSort();
  const Arrow = sort === field ? ArrowUp : sort === `-${field}` ? ArrowDown : ArrowUpDown;
  return (
    <button
      type="button"
      onClick={() => onSort(next(field, sort))}
      className="group inline-flex h-9 items-center gap-1 font-medium hover:text-ink"
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

/** On a phone, where a list has no heads of columns. */
export function SortSelect({ columns }: { columns: { name: string; sort?: string }[] }) {
  const { sort, onSort } = useSort();
  const options = columns.flatMap(({ name, sort: field }) =>
    field
      ? [
          { value: field, label: `${name}, upwards` },
          { value: `-${field}`, label: `${name}, downwards` },
        ]
      : [],
  );
  if (!useIsPhone() || options.length === 0) return null;
  return (
    <SelectFilter label="Sort by" none="newest first" value={sort} options={options} onChange={onSort} />
  );
}
