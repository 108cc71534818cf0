import { type IdPrefix, idPrefixes } from '../../ids.ts';
import type { Route } from '../routes/route.ts';
import { routeName } from '../routes/route-name.ts';

/** list_payments, rotate_webhook_secret, get_rent_roll. */
export const toolName = (route: Pick<Route, 'method' | 'path' | 'id'>): string =>
  routeName(route).replaceAll('-', '_');

/** The tool that finds ids of this kind. */
export function listToolOf(prefix: IdPrefix): string {
  // Deliveries are listed only by webhook.
  if (prefix === 'dlv') return 'list_webhook_deliveries';
  return `list_${nounOf(prefix).replaceAll(' ', '_').replace(/y$/, 'ie')}s`;
}

/** `maintenance request` for mnt. */
export function nounOf(prefix: IdPrefix): string {
  const [name = prefix] = Object.entries(idPrefixes).find(([, each]) => each === prefix) ?? [];
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
