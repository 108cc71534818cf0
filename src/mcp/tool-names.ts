import type { Route } from '../http/route.ts';
import { type IdPrefix, idPrefixes } from '../ids.ts';

/**
 * list_payments, get_payment, create_payment, update_payment, delete_webhook, list_webhook_deliveries,
 * rotate_webhook_secret, get_rent_roll: verb first, and the noun in the number it is about.
 */
export function toolName({ method, path, id }: Pick<Route, 'method' | 'path' | 'id'>): string {
  const [collection = '', ...behind] = path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
  const rest = behind.join('_').replaceAll('-', '_');
  if (rest === '')
    return id || method === 'POST' ? `${verbs[method]}_${singular(collection)}` : listTool(collection);
  // A report, which is no record of its own.
  if (!id) return `get_${rest}`;
  if (method === 'GET') return `list_${singular(collection)}_${rest}`;
  // What can be done with a record: the verb, and after the noun what of it is meant.
  const [verb, ...object] = rest.split('_');
  return [verb, singular(collection), ...object].join('_');
}

const verbs = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' };

const listTool = (collection: string): string => `list_${plural(collection)}`;

/** The tool that finds ids of this kind. */
export function listToolOf(prefix: IdPrefix): string {
  // There are deliveries of a webhook only.
  if (prefix === 'dlv') return 'list_webhook_deliveries';
  return listTool(plural(nounOf(prefix).replaceAll(' ', '_')));
}

/** `maintenance request` for mnt. */
export function nounOf(prefix: IdPrefix): string {
  const [name = prefix] = Object.entries(idPrefixes).find(([, each]) => each === prefix) ?? [];
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The API's path is /maintenance, and what it has are maintenance requests. */
const singular = (collection: string): string =>
  collection === 'maintenance' ? 'maintenance_request' : collection.replace(/ies$/, 'y').replace(/s$/, '');

function plural(noun: string): string {
  if (noun === 'maintenance') return 'maintenance_requests';
  if (noun.endsWith('s')) return noun;
  return noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
