import { Link, useSearch } from '@tanstack/react-router';
import { cx } from '../class-names.ts';

/** A list as somebody wants to see it: its filters and its order, as in the address. So a view is a link. */
export interface View {
  name: string;
  search: Record<string, string>;
}

/** Views of a list that are ready to be used. */
export function Views({ path, of }: { path: string; of: View[] }) {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  return (
    <nav aria-label="Views" className="mb-3 flex flex-wrap gap-x-5 gap-y-1">
      {[{ name: 'All', search: {} }, ...of].map((view) => {
        const isShown = isSame(view.search, search);
        return (
          <Link
            key={view.name}
            to={path}
            search={view.search as never}
            aria-current={isShown ? 'page' : undefined}
            className={cx(
              'border-b-2 py-1 font-medium',
              isShown ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink',
            )}
          >
            {view.name}
          </Link>
        );
      })}
    </nav>
  );
}

/** In whatever order it is shown. */
function isSame(wanted: View['search'], shown: Record<string, string | undefined>): boolean {
  const names = new Set([...Object.keys(wanted), ...Object.keys(shown)]);
  return [...names].every((name) => name === 'sort' || (wanted[name] ?? '') === (shown[name] ?? ''));
}
