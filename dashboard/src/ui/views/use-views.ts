import { queryOptions, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { get, queryString } from '../../api/client.ts';
import type { SavedView } from '../../api/records.ts';

/** A list as somebody wants to see it: its filters and its order, as in the address. So a view is a link. */
export interface View {
  name: string;
  search: Record<string, string>;
  /** Set if somebody saved the view. */
  saved?: SavedView;
}

export type ViewedList = SavedView['list'];

/** The views of all lists, in one answer that the next page reuses. */
const savedViews = queryOptions({
  queryKey: ['views'],
  queryFn: ({ signal }) => get<SavedView[]>('/views', undefined, signal),
  staleTime: 60_000,
});

/** Parts of the address that do not belong to a view, such as an open dialog. */
const passing = ['record'];

/** The views of a list, which of them is shown, and what would be saved. */
export function useViews(list: ViewedList, ready: View[] = []) {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { data = [] } = useQuery(savedViews);
  const saved = data.filter((view) => view.list === list).map(toView);
  const now = Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value && !passing.includes(name) ? [[name, value]] : [],
    ),
  );
  const all: View = { name: 'All', search: {} };
  const exact = [...saved, ...ready, all].find((view) => isSame(view.search, now));
  // In another order it is still the same view, unless somebody saved it in this order.
  const shown = exact ?? [...ready, all].find((view) => isSame({ ...view.search, sort: now.sort }, now));
  const views: View[] = ready.length + saved.length > 0 ? [all, ...ready, ...saved] : [];
  return {
    views,
    saved: saved.map(({ saved: view }) => view),
    shown,
    /** Null if such a view already exists. */
    toSave: exact ? null : queryString(now).slice(1),
  };
}

const toView = (saved: SavedView) => ({
  name: saved.name,
  search: Object.fromEntries(new URLSearchParams(saved.query)),
  saved,
});

/** Compares filters in whatever order they are written. */
function isSame(wanted: Record<string, string | undefined>, shown: Record<string, string>): boolean {
  const names = new Set([...Object.keys(wanted), ...Object.keys(shown)]);
  return [...names].every((name) => (wanted[name] ?? '') === (shown[name] ?? ''));
}
