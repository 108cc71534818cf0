import type { Route } from './route.ts';

/**
 * The name of a route, for example: list-payments, get-payment, create-payment, update-payment, delete-webhook,
 * list-webhook-deliveries, create-payment-batch, get-lease-ledger, rotate-webhook-secret, get-rent-roll, get-account,
 * preview-lease-renewal, create-lease-deposit-refund. The verb comes first, then the noun in the singular or plural.
 */
export function routeName({ method, path, id }: Pick<Route, 'method' | 'path' | 'id'>): string {
  const [collection = '', ...behind] = path.split('/').filter((part) => part !== '' && !part.startsWith(':'));
  // The records at /maintenance are maintenance requests.
  const many = collection === 'maintenance' ? 'maintenance-requests' : collection;
  const one = many.replace(/ies$/, 'y').replace(/s$/, '');
  // Both routes address the record by its id in another system.
  if (behind[0] === 'by-external-id') return `${verbs[method]}-${one}-by-external-id`;
  if (collection === 'test') return testModeNames[`${method} ${path}`] ?? '';
  if (behind[0] === 'batch') return `create-${one}-batch`;
  const rest = behind.join('-');
  // There is only one account.
  const isOne = id !== undefined || method !== 'GET' || one === many;
  if (rest === '') return isOne ? `${verbs[method]}-${one}` : `list-${many}`;
  if (rest === 'preview') return `preview-${many}`;
  // This is a report.
  if (!id) return `get-${rest}`;
  const previewed = changes[rest];
  if (method === 'GET' && previewed !== undefined) return `preview-${one}-${previewed}`;
  if (method === 'POST' && rest.endsWith('s')) return `create-${one}-${rest.slice(0, -1)}`;
  if (method === 'GET') return `${rest.endsWith('s') ? 'list' : 'get'}-${one}-${rest}`;
  // This is an action on a record: its verb, the noun, and the rest.
  const [verb, ...object] = rest.split('-');
  return [verb, one, ...object].join('-');
}

/** There is one clock, and one account to reset. */
const testModeNames: Record<string, string> = {
  'GET /test/clock': 'get-test-clock',
  'POST /test/clock/advance': 'advance-test-clock',
  'POST /test/reset': 'reset-test-account',
};

/** What a GET of these previews. */
const changes: Record<string, string> = { renew: 'renewal', end: 'end' };

const verbs = { GET: 'get', POST: 'create', PUT: 'put', PATCH: 'update', DELETE: 'delete' };
