import type { Route } from '../routes/route.ts';

/** Finds where a new record can be read, from the JSON that shows it; null if it has no address of its own. */
export type LocationOf = (body: string) => string | null;

/**
 * Finds the address by the record's id, whichever route made it: a delivery, for example, is made at its endpoint's
 * path.
 */
export function locations(prefix: string, routes: Route[]): LocationOf {
  const folders = foldersOf(routes);
  return (body) => {
    const [, id = '', kind = ''] = newRecord.exec(body) ?? [];
    const folder = folders.get(kind);
    return folder === undefined ? null : prefix + folder + id;
  };
}

/** The paths of records by the prefix of their ids. */
export const foldersOf = (routes: Route[]): Map<string, string> =>
  new Map(
    routes
      .filter(({ method, path }) => method === 'GET' && /^\/[\w-]+\/:id$/.test(path))
      .map(({ id, path }) => [id as string, path.slice(0, -':id'.length)]),
  );

/** All records begin with their id, so the rest need not be parsed. */
const newRecord = /^\{"data":\{"id":"(([a-z]+)_[0-9a-f]{32})"/;
