import { expect, test } from 'vitest';
import { boundedResolver } from './resolver.ts';

const never = new Promise<string[]>(() => undefined);
const address = '93.184.215.14';

/** Names below `.dead` are never answered. */
function resolver() {
  const asked: string[] = [];
  const resolve = boundedResolver((hostname) => {
    asked.push(hostname);
    return hostname.endsWith('.dead') ? never : Promise.resolve([address]);
  });
  return { asked, resolve };
}

test('names that are never answered keep nobody from looking up one that was answered before', async () => {
  const { asked, resolve } = resolver();
  expect(await resolve('known.example')).toEqual([address]);
  const dead = Array.from({ length: 500 }, (_, n) =>
    resolve(`${n}.dead`).catch((error: Error) => error.message),
  );
  for (let again = 0; again < 20; again++) expect(await resolve('known.example')).toEqual([address]);
  expect(asked.filter((name) => name.endsWith('.dead'))).toHaveLength(8);
  // Those that get no thread are told so, before anybody would wait longer.
  expect((await Promise.race([dead[499], dead[400]])) ?? '').toMatch(/Too many names/);
}, 20_000);

test('there is an end to how many wait', async () => {
  const { resolve } = resolver();
  const refused: unknown[] = [];
  for (let n = 0; n < 1_010; n++) resolve(`${n}.dead`).catch((error) => refused.push(error));
  await new Promise(setImmediate);
  expect(refused).toHaveLength(2);
});

test('new names that are answered pass, however many come at once', async () => {
  const { resolve } = resolver();
  const answers = await Promise.all(Array.from({ length: 300 }, (_, n) => resolve(`${n}.example`)));
  expect(answers.every(([first]) => first === address)).toBe(true);
});

test('a name that fails has to wait for its turn again', async () => {
  let works = true;
  const asked: string[] = [];
  const resolve = boundedResolver(async (hostname) => {
    asked.push(hostname);
    if (hostname.endsWith('.dead')) return never;
    if (!works) throw new Error('ENOTFOUND');
    return [address];
  });
  await resolve('known.example');
  works = false;
  await expect(resolve('known.example')).rejects.toThrow('ENOTFOUND');
  for (let n = 0; n < 8; n++) resolve(`${n}.dead`).catch(() => undefined);
  asked.length = 0;
  resolve('known.example').catch(() => undefined);
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
});
