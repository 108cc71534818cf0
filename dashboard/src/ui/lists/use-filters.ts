import { useNavigate, useSearch } from '@tanstack/react-router';

/** The filters of a page live in its address, so they survive a reload, the back button and sharing the link. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const navigate = useNavigate();
  const filters = Object.fromEntries(names.map((name) => [name, search[name] || undefined])) as Record<
    Name,
    string | undefined
  >;
  const set = (changed: Partial<Record<Name, string | undefined>>) =>
    navigate({
      to: '.',
      search: (before: Record<string, string | undefined>) => ({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    });
  const clear = () =>
    set(Object.fromEntries(names.map((name) => [name, undefined])) as Record<Name, undefined>);
  /** The props of a control that shows and changes one filter. */
  const control = (name: Name) => ({
    value: filters[name],
    onChange: (value: string | undefined) => set({ [name]: value } as Partial<Record<Name, string>>),
  });
  return { filters, set, clear, control, isFiltered: names.some((name) => filters[name]) };
}
