import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lookups } from './resolver.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const never = new Promise<string[]>(() => undefined);
const address = '93.184.215.14';

/** A resolver that never answers for names that end with `.dead`, nor for any other once `all` is dead. */
function resolver() {
  const asked: string[] = [];
  const state = { dead: /\.dead$/ };
  const { resolve, resolveForCheck } = new Lookups((hostname) => {
    asked.push(hostname);
    return state.dead.test(hostname) ? never : Promise.resolve([address]);
  });
  return { asked, state, resolve, resolveForCheck };
}

const names = (count: number, nameOf: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => nameOf(n));

test('names that are never answered do not block a name that was answered before', async () => {
  const { asked, resolve } = resolver();
  expect(await resolve('known.example')).toEqual([address]);
  const dead = names(500, (n) => `a.site${n}.dead`).map((name) =>
    resolve(name).catch((error: Error) => error.message),
  );
  for (let again = 0; again < 20; again++) expect(await resolve('known.example')).toEqual([address]);
  expect(asked.filter((name) => name.endsWith('.dead'))).toHaveLength(8);
  // Lookups that get no thread fail, before anybody would have waited longer.
  await vi.advanceTimersByTimeAsync(5_000);
  for (const told of [dead[499], dead[8]]) expect(await told).toMatch(/Too many names/);
});

test('nor do names that were answered, and whose name server then falls silent', async () => {
  const { asked, state, resolve } = resolver();
  const theirs = names(100, (n) => `h${n}.evil.xyz`);
  await Promise.all([...theirs, 'known.test'].map(resolve));
  state.dead = /evil/;
  asked.length = 0;
  for (const name of theirs) resolve(name).catch(() => undefined);
  expect(asked).toHaveLength(4);
  for (let again = 0; again < 20; again++) expect(await resolve('known.test')).toEqual([address]);
});

test('a name that takes long counts as one that was never answered', async () => {
  const { asked, state, resolve } = resolver();
  const theirs = names(12, (n) => `hooks.site${n}.example`);
  await Promise.all(theirs.map(resolve));
  state.dead = /site/;
  for (const name of theirs) resolve(name).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(1_000);
  asked.length = 0;
  resolve('new.stranger').catch(() => undefined);
  expect(asked).toEqual([]);
});

test('lookups of many silent domains wait in our queue, where they can be given up', async () => {
  const { asked, state, resolve } = resolver();
  const theirs = names(100, (n) => `hooks.site${n}.example`);
  await Promise.all(theirs.map(resolve));
  state.dead = /site/;
  asked.length = 0;
  const given = theirs.map((name) => resolve(name).catch((error: Error) => error.message));
  expect(asked).toHaveLength(28);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await given.at(-1)).toMatch(/Too many names/);
});

test('a check waits at most a second, and leaves room for deliveries', async () => {
  const { asked, resolve, resolveForCheck } = resolver();
  for (let n = 0; n < 50; n++) resolveForCheck(`a.site${n}.dead`).catch(() => undefined);
  expect(asked).toHaveLength(4);
  const refused = expect(resolveForCheck('other.example')).rejects.toThrow('Too many names');
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  expect(await resolve('new.example')).toEqual([address]);
});

test('checks that come at once are all answered, in turn', async () => {
  const { resolveForCheck } = resolver();
  const all = [...names(100, (n) => `a.site${n}.example`), ...names(100, (n) => `h${n}.one.example`)];
  const answers = await Promise.all(all.map(resolveForCheck));
  expect(answers.every(([first]) => first === address)).toBe(true);
});

test('the number of waiting lookups is limited', async () => {
  const { resolve } = resolver();
  const refused: unknown[] = [];
  for (let n = 0; n < 1_010; n++) resolve(`a.site${n}.dead`).catch((error) => refused.push(error));
  await vi.advanceTimersByTimeAsync(0);
  expect(refused).toHaveLength(2);
});

test('new names that are answered pass, however many come at once, of one domain or of many', async () => {
  const { resolve } = resolver();
  const all = [...names(300, (n) => `a.site${n}.example`), ...names(300, (n) => `h${n}.one.co.uk`)];
  const answers = await Promise.all(all.map(resolve));
  expect(answers.every(([first]) => first === address)).toBe(true);
});

test('a name that fails has to wait for its turn again', async () => {
  const { asked, state, resolve } = resolver();
  let works = true;
  const { resolve: failing } = new Lookups(async (hostname) => {
    if (!works && hostname === 'known.example') throw new Error('ENOTFOUND');
    return resolve(hostname);
  });
  await failing('known.example');
  works = false;
  await expect(failing('known.example')).rejects.toThrow('ENOTFOUND');
  works = true;
  state.dead = /dead/;
  for (let n = 0; n < 8; n++) failing(`a.dead${n}.example`).catch(() => undefined);
  asked.length = 0;
  failing('known.example').catch(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toEqual([]);
});
