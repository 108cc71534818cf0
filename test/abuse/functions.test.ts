import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeKey } from '../../src/api-keys/api-keys.ts';
import { operator } from '../../src/caller.ts';
import { sql } from '../../src/db/sql.ts';
import type { Route } from '../../src/http/routes/route.ts';
import { routes, sessionRoutes } from '../../src/http/routes/routes.ts';
import { formatId, newId } from '../../src/ids.ts';
import { type Person, signUp, signUpAs } from '../support/browser.ts';
import { envelope } from '../support/envelope.ts';
import { until } from '../support/process.ts';
import { dumpOf } from '../support/records.ts';
import { fullPath, type Ids, idOf, populate, send, settings, validBody } from '../support/route-driver.ts';
import { type Client, type Service, testService } from '../support/service.ts';

/* Who may call what: every route for every kind of caller. */

const named = (list: Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

let senders = 0;
/** Each request comes from an address of its own, since an address that fails too often is shut out. */
const elsewhere = () => ({ 'x-forwarded-for': `198.51.100.${senders++ % 250}` });

let service: Service;
beforeAll(async () => {
  service = await testService({ ...settings, SIGN_UP: 'open', TRUST_PROXY: 'true' });
});
afterAll(() => service.close());

test('the routes that are not for every member are these and no others', () => {
  const withAccess = (access: Route['access']) =>
    [...routes, ...sessionRoutes].filter((route) => route.access === access).map(nameOf);
  expect(withAccess('anyone').toSorted()).toEqual([
    'GET /invitations/:token',
    'GET /session',
    'POST /sign-in',
    'POST /sign-in/code',
    'POST /sign-in/openid',
    'POST /sign-in/openid/finish',
    'POST /sign-in/passkey',
    'POST /sign-in/passkey/options',
    'POST /sign-out',
    'POST /sign-up',
  ]);
  expect(withAccess('person').toSorted()).toEqual([
    'DELETE /passkeys/:id',
    'DELETE /sessions',
    'DELETE /sessions/:id',
    'GET /security',
    'GET /sessions',
    'PATCH /me',
    'PATCH /passkeys/:id',
    'POST /account/switch',
    'POST /accounts',
    'POST /accounts/:id/leave',
    'POST /invitations/:token/accept',
    'POST /passkeys',
    'POST /passkeys/options',
    'POST /password',
    'POST /two-factor/disable',
    'POST /two-factor/enable',
    'POST /two-factor/recovery-codes',
    'POST /two-factor/set-up',
  ]);
  expect(withAccess('owner').toSorted()).toEqual([
    'DELETE /team/invitations/:id',
    'DELETE /team/members/:id',
    'GET /account/export',
    'GET /audit-log',
    'PATCH /account',
    'PATCH /team/members/:id',
    'POST /account/close',
    'POST /team/invitations',
  ]);
  expect(withAccess('member').toSorted()).toEqual([
    'DELETE /views/:id',
    'GET /views',
    'PATCH /views/:id',
    'POST /views',
  ]);
  expect(routes.filter(({ access }) => access !== undefined).map(nameOf)).toEqual([
    'PATCH /account',
    'GET /audit-log',
  ]);
});

test('what changes something needs the right to write', () => {
  for (const route of [...routes, ...sessionRoutes])
    expect([nameOf(route), route.permission]).toEqual([
      nameOf(route),
      route.method === 'GET' ? 'read' : 'write',
    ]);
});

describe('keys', () => {
  let writer: Client;
  let reader: Client;
  let ids: Ids;
  let before: string;
  const dead: Record<string, string | undefined> = {};
  beforeAll(async () => {
    writer = await service.client();
    const { accountId } = writer;
    reader = await service.client({ accountId, permission: 'read' });
    ids = await populate(writer);
    const revoked = await service.client({ accountId });
    const { body } = await revoked.get('/webhooks');
    expect(body.count).toBeGreaterThan(0);
    const [row] = await service.database.db.query<{ id: string }>(
      sql`select id from api_keys where account_id = ${accountId} order by id desc limit 1`,
    );
    expect(
      await revokeKey(service.database.db, { accountId, actor: operator }, row?.id ?? '', new Date()),
    ).toBe(true);
    await until(async () => (await revoked.get('/webhooks')).status === 401);
    const expired = await service.client({ accountId, expiresAt: new Date(Date.now() - 1) });
    Object.assign(dead, {
      'a revoked key': `Bearer ${revoked.key}`,
      'an expired key': `Bearer ${expired.key}`,
      'an unknown key': `Bearer svc_live_${'x'.repeat(43)}`,
      'a good key under another scheme': `Basic ${writer.key}`,
      'no key': undefined,
    });
    before = await dump();
  });

  /** Reading all of a tenant's data is recorded, whoever reads it. */
  async function dump(): Promise<string> {
    const { accountId } = writer;
    await service.database.db.query(
      sql`delete from audit_log where account_id = ${accountId} and action = 'export.downloaded'`,
    );
    return dumpOf(service, accountId);
  }

  test.each(named(routes))('%s refuses whoever has none that is good', async (_name, route) => {
    for (const [who, authorization] of Object.entries(dead)) {
      const answer = await service.request(
        route.method,
        fullPath(route, route.id ? idOf(ids, route.id) : ''),
        {
          headers: { ...elsewhere(), ...(authorization === undefined ? {} : { authorization }) },
          body: route.method === 'GET' ? undefined : validBody(route, ids),
        },
      );
      expect([who, answer.status, answer.body]).toEqual([who, 401, envelope(401, 'Unauthorized')]);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test.each(named(routes))(
    '%s is closed to a read key if it writes, and open if it reads',
    async (_name, route) => {
      const path = fullPath(route, route.id ? idOf(ids, route.id) : '');
      const answer = await send(reader, route, path, validBody(route, ids));
      // The unit has another lease when this one would be renewed.
      const read = route.path === '/leases/:id/renew' ? 409 : 200;
      expect(answer.status, answer.text).toBe(route.permission === 'write' ? 403 : read);
    },
  );

  test('and nothing changed', async () => {
    expect(await dump()).toBe(before);
  });
});

describe('people', () => {
  const people: Record<string, Person> = {};
  let removed: Person;
  const ofAccount = [...routes, ...sessionRoutes].filter(
    ({ access }) => access !== 'anyone' && access !== 'person',
  );
  /**
   * The path with an id of no record. A caller who may call the route gets 404, or is told what is wrong with the body.
   */
  const address = ({ path, id }: Route) => path.replace(/:\w+/, formatId(id ?? 'prop', newId()));

  beforeAll(async () => {
    people.owner = await signUp(service);
    people.manager = await signUpAs(service, people.owner, 'manager');
    people.viewer = await signUpAs(service, people.owner, 'viewer');
    removed = await signUpAs(service, people.owner, 'owner');
    const { body } = await people.owner.get('/team');
    const member = body.data.members.find(
      (each: { user: { email: string } }) => each.user.email === removed.email,
    );
    expect((await people.owner.delete(`/team/members/${member.id}`)).status).toBe(200);
    await until(async () => (await removed.get('/home')).status !== 200);
  });

  /**
   * The rules once more, independently of the code: viewers read and save views, managers do everything except what is
   * reserved for owners, owners do everything.
   */
  const may: Record<string, (route: Route) => boolean> = {
    owner: () => true,
    manager: ({ access }) => access !== 'owner',
    viewer: ({ access, method, path }) =>
      access !== 'owner' && (method === 'GET' || path.startsWith('/views')),
  };

  test.each(named(ofAccount))('%s', async (_name, route) => {
    for (const [role, allowed] of Object.entries(may)) {
      const answer = await people[role]?.request(
        route.method,
        address(route),
        route.method === 'GET' ? undefined : {},
      );
      expect([role, answer?.status === 403], answer?.text).toEqual([role, !allowed(route)]);
      expect(answer?.status).not.toBe(401);
    }
    const answer = await removed.request(
      route.method,
      address(route),
      route.method === 'GET' ? undefined : {},
    );
    expect(answer.status, `somebody who was removed: ${answer.text}`).toBe(403);
  });

  test('nobody raises themselves: not by their own membership, an invitation or a key', async () => {
    const { owner, manager } = people;
    const team = (await owner?.get('/team'))?.body.data;
    const own = team.members.find((each: { user: { email: string } }) => each.user.email === manager?.email);
    expect((await manager?.patch(`/team/members/${own.id}`, { role: 'owner' }))?.status).toBe(403);
    expect(
      (await manager?.post('/team/invitations', { email: 'x@example.com', role: 'owner' }))?.status,
    ).toBe(403);
    expect((await manager?.get('/team'))?.text).not.toContain('/invite/');
    expect((await people.viewer?.post('/api-keys', { name: 'x', permission: 'write' }))?.status).toBe(403);
  });
});
