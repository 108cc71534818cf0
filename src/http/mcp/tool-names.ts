import type { Route } from '../routes/route.ts';
import { routeName } from '../routes/route-name.ts';

/** What every kind of record has is one tool for all of them: the id says which record is meant. */
const shared: Record<string, string> = { history: 'get_history', notes: 'create_note' };

/** list_payments, rotate_webhook_secret, get_rent_roll. */
export function toolName(route: Pick<Route, 'method' | 'path' | 'id'>): string {
  return sharedName(route) ?? routeName(route).replaceAll('-', '_');
}

export const isShared = (route: Pick<Route, 'path'>): boolean => sharedName(route) !== undefined;

const sharedName = ({ path }: Pick<Route, 'path'>): string | undefined => shared[path.split('/')[3] ?? ''];
