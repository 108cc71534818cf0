import type { z } from 'zod';
import type { App } from '../../src/app.ts';
import { operator } from '../../src/caller.ts';
import { dateOf } from '../../src/clock.ts';
import type { Db } from '../../src/db/connect.ts';
import { listColumns } from '../../src/http/routes/csv.ts';
import type { Reply, Route } from '../../src/http/routes/route.ts';
import { routes } from '../../src/http/routes/routes.ts';
import { formatId, type IdPrefix } from '../../src/ids.ts';
import { writeCursor } from '../../src/paging.ts';
import { isLong } from '../abuse/fuzz/settings.ts';
import { idAt, probes, timeAt, today } from './many-records.ts';

/*
 * Every list of the API with every combination of its filters, read from the table of routes. A new list or a new
 * filter is included without being named.
 */

export interface ListRequest {
  route: Route;
  /** The parameters as they are in the URL. */
  query: Record<string, string>;
  /** `/payments?status=failed&from=…` */
  label: string;
}

export const listRoutes: Route[] = routes.filter(
  (route) => route.query !== undefined && 'created_since' in route.query.shape && listColumns(route) !== null,
);

/** Parameters that change how records are shown, or in which order, but not which records. */
const notFilters = ['limit', 'expand', 'total', 'sort'];

/** The list with everything that it can expand. None if there is nothing. */
export function expandedRequests(route: Route, limit: number): ListRequest[] {
  const { choices } = route.query?.shape.expand ? meaningOf(route.query.shape.expand) : {};
  if (!choices) return [];
  const query = { limit: String(limit), expand: choices.join(',') };
  return [{ route, query, label: `${route.path}?${label(query)}` }];
}

/** The orders that a list knows, except its default. */
export const sortsOf = (route: Route): string[] => {
  const { sort } = route.query?.shape ?? {};
  const names = sort ? (sort as z.ZodOptional<z.ZodEnum>).unwrap().options.map(String) : [];
  return names.filter((name) => name !== '-created_at');
};

/** The combinations of a list's filters. For a choice: none, one value, two values, all values. */
export function listRequests(route: Route, limit: number): ListRequest[] {
  const filters = Object.entries(route.query?.shape ?? {}).filter(([name]) => !notFilters.includes(name));
  const combined = filters.reduce<Record<string, string>[]>(
    (queries, [name, schema]) =>
      queries.flatMap((query) => [
        query,
        ...valuesOf(route, name, schema).map((value) => ({ ...query, [name]: value })),
      ]),
    ['limit' in (route.query?.shape ?? {}) ? { limit: String(limit) } : {}],
  );
  // A page far back and a time to begin at are tried one at a time. Of very many combinations, `npm test` tries those
  // of two filters, and where a page begins.
  const most = isLong || combined.length <= 1_000 ? Number.POSITIVE_INFINITY : 4;
  const asked = combined.filter(
    (query) =>
      // A search is tried alone and with each other filter.
      (isLong || query.q === undefined || Object.keys(query).length <= 3) &&
      !(query.created_since && (query.cursor || query.after || query.updated_since)) &&
      // Another order has other cursors.
      !(query.updated_since && (query.cursor || Object.keys(query).length > 3)) &&
      !(query.wait && !query.after) &&
      Object.keys(query).length <= most,
  );
  return asked.map((query) => ({ route, query, label: `${route.path}?${label(query)}` }));
}

/** For an account without an event whose id is known: the feed is read from its beginning. */
export const fromBeginning = (requests: ListRequest[]): ListRequest[] =>
  requests
    .filter(({ query }) => !(query.after && query.cursor))
    .map((request) =>
      request.query.after ? { ...request, query: { ...request.query, after: 'beginning' } } : request,
    );

const label = ({ limit: _, ...query }: Record<string, string>) =>
  Object.entries(query)
    .map(([name, value]) =>
      name === 'cursor' ? name : `${name}=${value.replace(/(?<=_.{4})[0-9a-f]{20,}/, '…')}`,
    )
    .join('&');

interface Meaning {
  choices?: string[];
  idPrefix?: IdPrefix;
}

function valuesOf(route: Route, name: string, schema: z.ZodType): string[] {
  const { choices, idPrefix } = meaningOf(schema);
  if (choices) return choicesOf(choices);
  if (idPrefix) return [formatId(idPrefix, probeOf(idPrefix))];
  const given = others[name];
  if (!given) throw new Error(`It is not known what to ask ${route.path} for by ${name}: add it here.`);
  return given;
}

/** A range that begins and ends within a month, texts that many and very few names contain, and a page far back. */
const others: Record<string, string[]> = {
  from: [dateOf(timeAt(0.33))],
  to: [dateOf(timeAt(0.71))],
  q: ['oka', 'okafor 1234'],
  created_since: [timeAt(0.1).toISOString()],
  cursor: [idAt(0.6)],
  overdue: ['true'],
  wait: ['0'],
  email: ['tenant1234@example.com'],
  phone: ['+1 (503) 555-0142'],
  external_id: ['T-1042'],
  updated_since: [timeAt(0.1).toISOString()],
  ends_by: [dateOf(timeAt(0.5))],
};

/** A frequent value and a rare one, both, and all. */
function choicesOf(values: string[]): string[] {
  const [frequent, rare] = values.includes('payment.created')
    ? ['payment.created', 'lease.ended']
    : [values[1], values.at(-1)];
  return [...new Set([`${frequent}`, `${rare}`, `${frequent},${rare}`, values.join(',')])].filter(
    (value) => value !== `${rare},${rare}`,
  );
}

function probeOf(prefix: IdPrefix): string {
  const id = (probes as Partial<Record<IdPrefix, string>>)[prefix];
  if (!id) throw new Error(`There is no record to ask for by ${prefix}_…: add it to the probes.`);
  return id;
}

function meaningOf(schema: z.ZodType): Meaning {
  const own = (schema.meta() ?? {}) as Meaning;
  if (own.choices || own.idPrefix || !('unwrap' in schema)) return own;
  return meaningOf((schema as z.ZodOptional<z.ZodType>).unwrap());
}

/** Answers as the route does, without HTTP. */
export function ask(app: App, db: Db, { route, query }: ListRequest): Promise<Reply> {
  const { cursor, ...rest } = query;
  const parsed = route.query?.parse({
    ...rest,
    ...(cursor === undefined ? {} : { cursor: writeCursor(cursor, app.secrets, route.path) }),
  });
  return route.handle({
    app,
    db,
    caller: {
      accountId: probes.account,
      currency: 'USD',
      timeZone: 'UTC',
      permission: 'read',
      source: 'api',
      actor: operator,
    },
    signedIn: null,
    id: route.id ? probeOf(route.id) : '',
    params: {},
    query: parsed,
    body: undefined,
    prepared: undefined,
    userAgent: '',
    visitor: { cookie: '', userAgent: '', ip: '', address: '', origin: '' },
    form: null,
    readForm: () => Promise.reject(new Error('A list has no form.')),
    upload: () => {
      throw new Error('A list has no upload.');
    },
    onHangUp: () => () => undefined,
    now: today,
    today: dateOf(today),
    requestId: '',
    strict: false,
    keyed: false,
    spend: () => undefined,
    remember: async () => undefined,
    step: () => Promise.reject(new Error('A list has no steps.')),
  });
}
