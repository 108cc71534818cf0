import type { Route } from '../routes/route.ts';
import { routeName } from '../routes/route-name.ts';

/** What every kind of record has becomes one tool for all: the id says which record is meant. */
const shared: Record<string, string> = { history: 'get_history', notes: 'create_note' };

/** For example list_payments, rotate_webhook_secret or get_rent_roll. */
export function toolName(route: Pick<Route, 'method' | 'path' | 'id'>): string {
  return sharedName(route) ?? routeName(route).replaceAll('-', '_');
}

export const isShared = (route: Pick<Route, 'path'>): boolean => sharedName(route) !== undefined;

const sharedName = ({ path }: Pick<Route, 'path'>): string | undefined => shared[path.split('/')[3] ?? ''];
