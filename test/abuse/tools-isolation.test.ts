import { afterAll, beforeAll, expect, test } from 'vitest';
import { toolName } from '../../src/http/mcp/tool-names.ts';
import { routes } from '../../src/http/routes/routes.ts';
import { dumpOf } from '../support/records.ts';
import {
  bodyIds,
  type Ids,
  idOf,
  populate,
  queryIds,
  setAt,
  settings,
  validBody,
  validQuery,
} from '../support/route-driver.ts';
import { type Client, type Service, testService } from '../support/service.ts';

/*
 * Like test/isolation.test.ts, but with the tools of assistants. What a key may not do, its tools may not do, either.
 */

let service: Service;
let ours: Client;
let reader: Client;
let own: Ids;
let foreign: Ids;
let victim: string;
let before: string;
beforeAll(async () => {
  service = await testService(settings);
  ours = await service.client();
  reader = await service.client({ accountId: ours.accountId, permission: 'read' });
  const other = await service.client();
  victim = other.accountId;
  own = await populate(ours);
  foreign = await populate(other);
  before = await dumpOf(service, victim);
});
afterAll(() => service.close());

interface Told {
  isError: boolean;
  text: string;
  code: number | undefined;
}

async function call(key: string, name: string, args: object): Promise<Told> {
  const response = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { result } = (await response.json()) as {
    result: { content: [{ text: string }]; isError?: boolean };
  };
  const text = result.content[0].text;
  const isError = result.isError === true;
  return { isError, text, code: isError ? JSON.parse(text).error.code : undefined };
}

function expectSilence({ text }: Told): void {
  for (const id of Object.values(foreign)) expect(text).not.toContain(id.split('_')[1]);
}

const deletesLast = routes
  .filter(({ tool }) => tool !== false)
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

test.each(deletesLast.map((route) => [toolName(route), route] as const))(
  '%s keeps to its own account',
  async (name, route) => {
    const args = {
      ...validQuery(route),
      ...validBody(route, own),
      ...(route.id ? { id: idOf(own, route.id) } : {}),
    };
    if (route.id) {
      const told = await call(ours.key, name, { ...args, id: idOf(foreign, route.id) });
      expect([told.isError, told.code], told.text).toEqual([true, 404]);
      expectSilence(told);
    }
    for (const { path, prefix } of [...bodyIds(route), ...queryIds(route)]) {
      const mixed = structuredClone(args);
      setAt(mixed, path, idOf(foreign, prefix));
      const told = await call(ours.key, name, mixed);
      if (route.body || path[0] === 'after')
        expect([told.isError, told.code], told.text).toEqual([true, 400]);
      else expect(JSON.parse(told.text).data, told.text).toEqual([]);
      expectSilence(told);
    }
    const refused = await call(reader.key, name, args);
    expect(refused.code === 403, refused.text).toBe(route.permission === 'write');
    const fine = await call(ours.key, name, args);
    if (fine.isError) expect(fine.code, fine.text).toBe(409);
    expectSilence(fine);
  },
);

test('nothing changed in the other account', async () => {
  expect(await dumpOf(service, victim)).toBe(before);
});
