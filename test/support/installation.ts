import { expect } from 'vitest';
import { ownersScopes, scopeOf } from '../../src/api-keys/scopes.ts';
import { sign, signingKey } from '../../src/deliveries/sending/sign.ts';
import { listColumns } from '../../src/http/routes/csv.ts';
import { routes } from '../../src/http/routes/routes.ts';
import { type Environment, tenure } from './process.ts';
import type { Receiver } from './receiver.ts';
import { type Serving, serveHere } from './servers.ts';

/* An installation with data in it, and the proof that another one is the same. */

/** The settings that webhooks need to reach a receiver on this machine. */
export const localTargets: Environment = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  RATE_LIMIT_PER_SECOND: '0',
};

interface Filled {
  key: string;
  /** The secret of the webhook for which one delivery is still waiting. */
  secret: string;
  /** The property that this delivery is about. */
  propertyId: string;
  answers: Record<string, unknown>;
  server: Serving;
}

/** Adds demo data, a key, a webhook and a delivery that waits for a worker. The API keeps serving. */
export async function fillInstallation(environment: Environment, receiver: Receiver): Promise<Filled> {
  // There is no worker, so deliveries wait.
  const server = await serveHere(environment, 'api');
  const { key } = await tenure<{ key: string }>(environment, 'demo');
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api/v1${path}`, request);
    expect(response.status).toBe(201);
    return ((await response.json()) as { data: { id: string; secret: string } }).data;
  };
  const { secret } = await post('/webhooks', { url: receiver.url(), events: ['property.created'] });
  const { id } = await post('/properties', { name: 'Still to be told' });
  await post(`/files?record=${id}`, { note: 'Key under the mat' });
  await post('/imports', { kind: 'tenants', file: 'First name,Last name\nAda,Lee\n', dry_run: true });
  return { key, secret, propertyId: id, answers: await answersOf(server.url, key), server };
}

/** The same key gets the same answers, and the delivery that was waiting is sent, signed with the same secret. */
export async function expectGoesOn(
  environment: Environment,
  filled: Filled,
  receiver: Receiver,
): Promise<void> {
  // First there is no worker, since a delivery that no longer waits is another answer, and changes its webhook's.
  await whileServing(environment, 'api', async ({ url }) => {
    const answers = await answersOf(url, filled.key);
    expect(Object.keys(answers)).toEqual(Object.keys(filled.answers));
    expect(Object.keys(answers).length).toBeGreaterThan(listRoutes.length * 5);
    for (const [path, answer] of Object.entries(filled.answers)) expect(answers[path], path).toEqual(answer);
  });
  expect(receiver.received).toEqual([]);

  await whileServing(environment, 'start', async () => {
    const [sent] = await receiver.count(1);
    const body = sent?.body ?? '';
    expect(JSON.parse(body).data.property.id).toBe(filled.propertyId);
    const header = sent?.headers['x-service-signature'] ?? '';
    const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
    expect(header).toBe(sign({ keys: [signingKey(filled.secret)], timestamp, body }));
  });
}

async function whileServing(
  environment: Environment,
  part: 'start' | 'api',
  work: (server: Serving) => Promise<void>,
): Promise<void> {
  const server = await serveHere(environment, part);
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

/** A preview may well be empty, and the key of the demo may not read what only owners can. */
const listRoutes = routes.filter(
  (route) =>
    listColumns(route) !== null && !route.path.endsWith('/preview') && !ownersScopes.includes(scopeOf(route)),
);
/** How many records of each list are also requested one by one. */
const askedSingly = 10;
/**
 * The pages of each list. All rows of all tables are compared in test/backup.test.ts; here an answer of every kind will
 * do.
 */
const pages = { size: 100, most: 2 };
/** What a report needs to depend on nothing but the data. */
const days: Record<string, string> = { as_of: '2026-06-30', from: '2020-01-01', to: '2039-12-31' };

/**
 * The answers to every list of the API from its first page to its last, including a webhook's deliveries and the
 * reports, and to some records of each. The lists are those of the table of routes, so a new one is included without
 * being named.
 */
async function answersOf(url: string, key: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const get = async (path: string, name = path) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status, path).toBe(200);
    const body: unknown = await response.json();
    answers[name] = body;
    return { body: body as { data: { id: string }[] }, next: nextPath(response.headers.get('link')) };
  };
  const getList = async (path: string, fields: string[]): Promise<string[]> => {
    const ids: string[] = [];
    const query = Object.entries({ limit: String(pages.size), ...days }).filter(([name]) =>
      fields.includes(name),
    );
    let next: string | null = `${path}?${new URLSearchParams(query)}`;
    for (let number = 1; next !== null && number <= pages.most; number++) {
      // A cursor is signed with the secret key, which may have been rotated.
      const page: Awaited<ReturnType<typeof get>> = await get(next, `${path}, page ${number}`);
      ids.push(...page.body.data.map(({ id }) => id));
      next = page.next;
    }
    // The next run may charge nothing.
    if (!path.endsWith('/preview')) expect(ids.length, path).toBeGreaterThan(0);
    return ids;
  };

  const has = (path: string) => routes.some((one) => one.method === 'GET' && one.path === path);
  for (const route of listRoutes) {
    const [, parent, child] = /^(.+)\/:id(\/.+)$/.exec(route.path) ?? [];
    const paths =
      parent === undefined
        ? [route.path]
        : // Every record has a history. Those of some are enough.
          (await getList(parent, [])).slice(0, askedSingly).map((id) => `${parent}/${id}${child}`);
    const records = child ?? route.path;
    for (const path of paths) {
      const ids = await getList(path, Object.keys(route.query?.shape ?? {}));
      if (has(`${records}/:id`)) for (const id of ids.slice(0, askedSingly)) await get(`${records}/${id}`);
    }
  }
  return answers;
}

const nextPath = (link: string | null): string | null =>
  /<http:\/\/[^/]+\/api\/v1([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? null;
