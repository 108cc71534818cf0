import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/http/routes/route.ts';
import { routes, sessionRoutes } from '../../src/http/routes/routes.ts';
import { parseId } from '../../src/ids.ts';
import { type Person, signUp } from '../support/browser.ts';
import { envelope } from '../support/envelope.ts';
import { dumpOf, expectInvalid } from '../support/records.ts';
import {
  bodyIds,
  fullPath,
  type Ids,
  idOf,
  ofRecord,
  populate,
  populateDashboard,
  queryIds,
  send,
  setAt,
  settings,
  validBody,
} from '../support/route-driver.ts';
import { type Answer, type Service, testService } from '../support/service.ts';

/*
 * Like test/isolation.test.ts, but with a session: every route that the dashboard has for an account, its own and the
 * API's, gets another account's id in every place that takes an id.
 */

const table = [...routes, ...sessionRoutes].filter(
  ({ access, path }) => (access !== 'anyone' && access !== 'person') || path === '/account/switch',
);
const named = (list: Route[]) => list.map((route) => [`${route.method} ${route.path}`, route] as const);

let service: Service;
let us: Person;
let own: Ids;
let foreign: Ids;
let victim: string;
let before: string;
beforeAll(async () => {
  service = await testService({ ...settings, SIGN_UP: 'open' });
  us = await signUp(service);
  const them = await signUp(service);
  own = { ...(await populate(us)), ...(await populateDashboard(us, service.url)) };
  foreign = { ...(await populate(them)), ...(await populateDashboard(them, service.url)) };
  victim = parseId('acct', idOf(foreign, 'acct')) ?? '';
  before = await dumpOf(service, victim);
});
afterAll(() => service.close());

/** The answer reveals nothing of the other account, whatever was asked. */
function expectSilence(answer: Answer): void {
  for (const id of Object.values(foreign)) expect(answer.text).not.toContain(id.split('_')[1]);
}

const deletesLast = table.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test.each(named(deletesLast))('%s keeps to its own account', async (_name, route) => {
  const id = route.id ? idOf(own, route.id) : '';
  const body = validBody(route, own);
  if (route.id) {
    const answer = await send(us, route, fullPath(route, idOf(foreign, route.id)), body);
    expect([answer.status, answer.body], answer.text).toEqual([404, envelope(404, 'Not found')]);
  }
  for (const { path, prefix } of queryIds(route)) {
    const field = String(path[0]);
    const answer = await us.get(fullPath(route, id, { [field]: idOf(foreign, prefix) }));
    // A position in the feed of events is not a filter, and another account's event is not one.
    expect(answer.status, answer.text).toBe(field === 'after' ? 400 : 200);
    expectSilence(answer);
  }
  for (const { path, prefix } of bodyIds(route)) {
    const mixed = structuredClone(body);
    setAt(mixed, path, idOf(foreign, prefix));
    // A record that exists is refused because it is not the one with that id.
    const answer = await send(us, route, fullPath(route, route.creates ? 'new' : id), mixed);
    expectInvalid(...ofRecord(route, answer, path));
    expectSilence(answer);
  }
  const fine = await send(us, route, fullPath(route, id), body);
  // Uploads need a form: see below. Closing needs the account's name and a password: src/closing/closing.test.ts.
  if (!/^\/(imports|account\/close)/.test(route.path))
    expect([route.success, route.creates ? 201 : route.success, 409], fine.text).toContain(fine.status);
  expectSilence(fine);
});

test('a search finds nothing of the other account, whatever is searched for', async () => {
  for (const id of Object.values(foreign)) {
    for (const q of [id, id.split('_')[1] ?? '', '%', '_', 'a'])
      expectSilence(await us.get(`/search?q=${encodeURIComponent(q)}`));
  }
});

test('an import finds only what is in its own account', async () => {
  const rows = [idOf(own, 'prop'), idOf(foreign, 'prop')].map((id, at) => `${id},Imported ${at}`);
  const form = new FormData();
  form.set('units', new File([`property_id,name\n${rows.join('\n')}\n`], 'units.csv'));
  const response = await fetch(`${service.url}/internal/v1/imports/apply`, {
    method: 'POST',
    headers: { cookie: us.cookies(), origin: service.url },
    body: form,
  });
  const report = (await response.json()) as { data: { ok: boolean; files: { errors: unknown[] }[] } };
  expect(response.status, JSON.stringify(report)).toBe(200);
  expect(report.data.ok).toBe(false);
  expect(JSON.stringify(report.data.files[0]?.errors)).toMatch(/property/i);
});

test('nothing changed in the other account', async () => {
  expect(await dumpOf(service, victim)).toBe(before);
});

test('every kind of id that a route takes was tried', () => {
  for (const route of table) {
    const prefixes = [...bodyIds(route), ...queryIds(route)].map(({ prefix }) => prefix);
    for (const prefix of [...prefixes, ...(route.id ? [route.id] : [])])
      expect(foreign, `${route.method} ${route.path}`).toHaveProperty(prefix);
  }
});
