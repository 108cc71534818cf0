import { expect } from 'vitest';
import { sign } from '../src/deliveries/sign.ts';
import { type Environment, ready, type ServerProcess, spawnServer, tenure } from './process.ts';
import type { Receiver } from './receiver.ts';

/* An installation with data in it, and the proof that another one is the same. */

/** What webhooks need to reach a receiver on this machine. */
export const localTargets: Environment = {
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  RATE_LIMIT_PER_SECOND: '0',
};

export interface Filled {
  key: string;
  /** Of the webhook to which one delivery is still waiting. */
  secret: string;
  /** What that delivery is about. */
  propertyId: string;
  answers: Record<string, unknown>;
  server: ServerProcess;
}

/** Demo data, a key, a webhook and a delivery that waits for a worker; the API goes on serving. */
export async function fillInstallation(environment: Environment, receiver: Receiver): Promise<Filled> {
  const { key } = await tenure<{ key: string }>(environment, 'demo');
  // Without a worker: what is to be delivered waits.
  const server = spawnServer(environment, 'api');
  await ready(server);
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${server.url}/api/v1${path}`, request);
    expect(response.status).toBe(201);
    return ((await response.json()) as { data: { id: string; secret: string } }).data;
  };
  const { secret } = await post('/webhooks', { url: receiver.url(), events: ['property.created'] });
  const { id } = await post('/properties', { name: 'Still to be told' });
  return { key, secret, propertyId: id, answers: await answersOf(server.url, key), server };
}

/** The same key gets the same answers, and what was waiting is delivered, signed with the same secret. */
export async function expectGoesOn(
  environment: Environment,
  filled: Filled,
  receiver: Receiver,
): Promise<void> {
  const server = spawnServer(environment, 'start');
  try {
    await ready(server);
    const answers = await answersOf(server.url, filled.key);
    expect(Object.keys(answers).length).toBeGreaterThan(lists.length * 5);
    for (const [path, answer] of Object.entries(filled.answers)) expect(answers[path], path).toEqual(answer);

    const [sent] = await receiver.count(1);
    const body = sent?.body ?? '';
    expect(JSON.parse(body).data.property.id).toBe(filled.propertyId);
    const header = sent?.headers['x-service-signature'] ?? '';
    const timestamp = Number(/^t=(\d+)/.exec(header)?.[1]);
    expect(header).toBe(sign({ secrets: [filled.secret], timestamp, body }));
  } finally {
    server.kill('SIGTERM');
    await server.ended;
  }
}

/** Every list of the API whose answer depends on nothing but the data. */
const lists = ['properties', 'units', 'tenants', 'leases', 'payments', 'maintenance', 'events'];
/** So many of each list are also asked for one by one. */
const askedSingly = 10;

/** The answers to every list, from its first page to its last, and to some records of each. */
async function answersOf(url: string, key: string): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  const get = async (path: string, name = path) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    const body: unknown = await response.json();
    answers[name] = { status: response.status, body };
    return { body: body as { data: { id: string }[] }, next: nextPath(response.headers.get('link')) };
  };
  for (const list of lists) {
    const ids: string[] = [];
    for (let path: string | null = `/${list}?limit=1000`, number = 1; path !== null; number++) {
      // A cursor is signed with the secret key, which may have been rotated.
      const page: Awaited<ReturnType<typeof get>> = await get(path, `/${list}, page ${number}`);
      ids.push(...page.body.data.map(({ id }) => id));
      path = page.next;
    }
    for (const id of ids.slice(0, askedSingly)) await get(`/${list}/${id}`);
  }
  return answers;
}

const nextPath = (link: string | null): string | null =>
  /<http:\/\/[^/]+\/api\/v1([^>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? null;
