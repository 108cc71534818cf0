import type { Route } from '../routes/route.ts';

/** Where a new record can be read, by the JSON that shows it; null for those that have no address of their own. */
export type LocationOf = (body: string) => string | null;

/** Finds the address by the record's id, whichever route made it: a delivery is made below its endpoint. */
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
