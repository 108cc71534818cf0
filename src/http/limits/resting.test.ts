import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Resting } from './resting.ts';

/** So many connections, from both sides, and who was heard on ours. */
async function connections(count: number) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const heard: number[] = [];
  const pairs: { ours: Socket; theirs: Socket }[] = [];
  for (let n = 0; n < count; n++) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const theirs = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [ours] = await accepted;
    ours.on('data', () => heard.push(n));
    onTestFinished(() => void theirs.destroy());
    pairs.push({ ours, theirs });
  }
  return { pairs, heard };
}

test('who rests is not heard before the time is over, or before being woken, the last one first', async () => {
  const { pairs, heard } = await connections(4);
  const resting = new Resting();
  for (const [n, { ours }] of pairs.entries()) resting.add(ours, n === 0 ? 300 : 60_000);
  await sleep(20);
  for (const { theirs } of pairs) theirs.write('hello');
  await sleep(100);
  expect(heard).toEqual([]);
  expect(resting.size).toBe(4);
  resting.wake(1);
  await vi.waitUntil(() => heard.length === 1, { timeout: 10_000 });
  expect(heard).toEqual([3]);
  await vi.waitUntil(() => heard.length === 2, { timeout: 10_000 });
  expect(heard).toEqual([3, 0]);
  expect(resting.size).toBe(2);
  resting.wake(5);
  await vi.waitUntil(() => heard.length === 4, { timeout: 10_000 });
  expect(resting.size).toBe(0);
  resting.wake(1);
  expect(resting.size).toBe(0);
});

test('one that rests twice is heard when the first rest is over', async () => {
  const { pairs, heard } = await connections(1);
  const [{ ours, theirs } = never()] = pairs;
  const resting = new Resting();
  resting.add(ours, 60_000);
  resting.add(ours, 60_000);
  await sleep(20);
  theirs.write('hello');
  resting.wake(1);
  await vi.waitUntil(() => heard.length === 1, { timeout: 10_000 });
  expect(resting.size).toBe(1);
});

function never(): never {
  throw new Error('There is no connection.');
}
