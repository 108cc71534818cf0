import { z } from 'zod';
import { exampleOf } from '../../src/http/openapi/examples.ts';
import { SchemaBook } from '../../src/http/openapi/schemas.ts';
import type { Route } from '../../src/http/routes/route.ts';
import { routes } from '../../src/http/routes/routes.ts';
import { makePasskey } from './authenticator.ts';
import { password } from './browser.ts';
import { holdDeposit } from './ledger.ts';
import type { Answer, Client } from './service.ts';

/*
 * Sends requests to every route of the table, made from the route's own schemas, so that tests which promise something
 * of all routes also cover new ones.
 */

/** The host that the examples of subscriptions name. It is allowed, so that nobody asks DNS. */
export const settings = { WEBHOOK_ALLOWED_TARGETS: 'hooks.example.com:443' };

/** Ids of an account's records, one of each kind, by prefix. */
export type Ids = Record<string, string>;

interface IdLocation {
  path: (string | number)[];
  prefix: string;
}

export const bodyIds = (route: Route): IdLocation[] => (route.body ? idLocations(route.body) : []);
export const queryIds = (route: Route): IdLocation[] => (route.query ? idLocations(route.query) : []);

/** Every place in the schema that takes an id. Such fields have their prefix in their metadata. */
function idLocations(schema: z.core.$ZodType, path: IdLocation['path'] = []): IdLocation[] {
  const prefix = z.globalRegistry.get(schema)?.idPrefix;
  if (typeof prefix === 'string') return [{ path, prefix }];
  const { def } = schema._zod as unknown as { def: Record<string, unknown> };
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) =>
      idLocations(inner as z.ZodType, [...path, name]),
    );
  if (schema instanceof z.ZodArray) return idLocations(schema.element as z.ZodType, [...path, 0]);
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((each) => idLocations(each as z.ZodType, path));
  const inner = [def.innerType, def.in, def.out].filter((each) => each instanceof z.ZodType);
  return inner.flatMap((each) => idLocations(each, path));
}

/** The document's own example. The first record of each kind that populate() makes has it. */
const exampleExternalId = 'crm-1042';
/** No two records have the same one. */
let externalIds = 0;

/** A valid body for the account that has these ids: the document's own example with the ids put in. */
export function validBody(route: Route, ids: Ids): Record<string, unknown> | undefined {
  if (route.upload) return { record: idOf(ids, 'prop') };
  if (!route.body) return undefined;
  const book = new SchemaBook();
  const body = structuredClone(exampleOf(book.schema(route.body), book.definitions)) as Record<
    string,
    unknown
  >;
  for (const { path, prefix } of idLocations(route.body)) setAt(body, path, idOf(ids, prefix));
  if (route.method === 'POST') for (const each of recordsIn(body)) each.external_id = `ext-${++externalIds}`;
  // The external_id is in the path.
  if (route.method === 'PUT') delete body.external_id;
  return body;
}

/** The records of a body that have an external_id: the body itself, or the items of a batch. */
export const recordsIn = (body: Record<string, unknown>): Record<string, unknown>[] =>
  [body, ...((body.items ?? []) as Record<string, unknown>[])].filter((each) => 'external_id' in each);

/** The answer for the one record that was sent, and the field in it. A batch has an answer for each of its items. */
export function ofRecord(route: Route, answer: Answer, path: IdLocation['path']): [Answer, field: string] {
  if (!route.stepwise) return [answer, String(path[0])];
  const [{ status, error }] = answer.body.data.results;
  return [{ ...answer, status, body: { error } }, String(path[2])];
}

/** A query with only the required parameters. */
export function validQuery(route: Route): Record<string, string> {
  if (!route.query) return {};
  const book = new SchemaBook();
  const schema = book.schema(route.query);
  const example = exampleOf(schema, book.definitions) as Record<string, unknown>;
  return Object.fromEntries((schema.required ?? []).map((name) => [name, String(example[name])]));
}

export const fullPath = (route: Route, id: string, query: Record<string, string> = {}) =>
  `${route.path.replace(':id', id).replace(':external_id', id || exampleExternalId)}?${new URLSearchParams({ ...validQuery(route), ...query })}`;

export function idOf(ids: Ids, prefix: string): string {
  const id = ids[prefix];
  if (id === undefined)
    throw new Error(`No route creates or lists a record whose id starts with ${prefix}_.`);
  return id;
}

export function setAt(target: unknown, path: IdLocation['path'], value: unknown): void {
  const last = path.at(-1);
  if (last === undefined) throw new Error('An id is not a whole body.');
  const holder = path.slice(0, -1).reduce((at, part) => (at as never)[part], target) as Record<
    string | number,
    unknown
  >;
  holder[last] = value;
}

export const send = (
  client: Pick<Client, 'get' | 'post' | 'put' | 'patch' | 'delete'>,
  route: Route,
  path: string,
  body?: unknown,
): Promise<Answer> => {
  if (route.method === 'GET') return client.get(path);
  if (route.method === 'DELETE') return client.delete(path);
  if (route.method === 'PUT') return client.put(path, body);
  return route.method === 'POST' ? client.post(addressed(route, path, body), body) : client.patch(path, body);
};

/**
 * The path, with the record in its query for an upload, whose body is a file. (This one is a text that happens to be
 * JSON.)
 */
export const addressed = (route: Route, path: string, body: unknown): string =>
  route.upload ? `${path}&record=${(body as { record?: string } | undefined)?.record ?? ''}` : path;

/**
 * Makes one record of every kind. Whatever a POST with a valid body can make is made, in the order in which the ids
 * that it needs become known. Then what lists show is added, too (events, deliveries).
 */
export async function populate(
  client: Pick<Client, 'get' | 'post'>,
  see: (route: Route, answer: Answer) => void = () => undefined,
  /** Values for fields with these names, in place of the document's examples. */
  instead: Record<string, unknown> = {},
): Promise<Ids> {
  const ids: Ids = {};
  const bodyOf = (route: Route) => {
    const fits = Object.entries(instead).filter(([name]) => name in (route.body?.shape ?? {}));
    return { ...validBody(route, ids), ...Object.fromEntries(fits) };
  };
  const open = new Set(routes.filter((route) => route.method === 'POST' && !route.id && route.body));
  while (open.size > 0) {
    const ready = [...open].filter((route) => bodyIds(route).every(({ prefix }) => prefix in ids));
    if (ready.length === 0)
      throw new Error(
        `No valid body can be made for ${[...open].map(({ path }) => `POST ${path}`).join(', ')}.`,
      );
    for (const route of ready) {
      open.delete(route);
      const body = bodyOf(route);
      if ('external_id' in body) body.external_id = exampleExternalId;
      const answer = await client.post(route.path, body);
      if (answer.status !== route.success)
        throw new Error(`The example for POST ${route.path} is refused: ${answer.status} ${answer.text}`);
      see(route, answer);
      takeIds(answer.body.data, ids);
    }
  }
  for (const route of routes.filter(({ upload }) => upload)) {
    const body = validBody(route, ids);
    const answer = await client.post(addressed(route, fullPath(route, ''), body), body);
    see(route, answer);
    takeIds(answer.body.data, ids);
  }
  // Everything is made once more now that the other records exist. A payment, for example, takes its property from the
  // tenant's lease.
  for (const route of routes.filter(({ method, id, body }) => method === 'POST' && !id && body))
    await client.post(route.path, bodyOf(route));
  // Only a deposit that is held can be refunded.
  const lease = `/leases/${idOf(ids, 'lease')}`;
  const { ledger_from: refunded_on } = (await client.get(lease)).body.data;
  await holdDeposit(client, idOf(ids, 'lease'), refunded_on);
  const refund = { amount_cents: 100, refunded_on };
  takeIds((await client.post(`${lease}/deposit-refunds`, refund)).body.data, ids);
  for (const route of routes.filter(({ method }) => method === 'GET')) {
    if (route.id && !(route.id in ids)) continue;
    const answer = await client.get(fullPath(route, route.id ? idOf(ids, route.id) : ''));
    see(route, answer);
    for (const record of [answer.body.data].flat()) takeIds(record, ids);
  }
  return ids;
}

function takeIds(record: { id?: unknown }, ids: Ids): void {
  if (typeof record?.id === 'string') ids[record.id.split('_')[0] ?? ''] ??= record.id;
}

/** Makes one record of each kind that only the dashboard has, for a person who owns an account. */
export async function populateDashboard(person: Pick<Client, 'get' | 'post'>, url: string): Promise<Ids> {
  const email = `guest-${process.hrtime.bigint()}@example.com`;
  const key = await person.post('/api-keys', { name: 'First', permission: 'read' });
  const invitation = await person.post('/team/invitations', { email, role: 'viewer' });
  const team = await person.get('/team');
  const session = await person.get('/session');
  const { sessions } = (await person.get('/sessions')).body.data;
  const asked = await person.post('/passkeys/options', { password });
  const credential = makePasskey(url).create(asked.body.data);
  const passkey = await person.post('/passkeys', { name: 'Phone', credential });
  const view = await person.post('/views', { list: 'leases', name: 'Ending', query: 'sort=end_date' });
  return {
    key: key.body.data.id,
    view: view.body.data.id,
    inv: invitation.body.data.id,
    mem: team.body.data.members[0].id,
    acct: session.body.data.account.id,
    ses: sessions[0].id,
    psk: passkey.body.data.id,
  };
}
