import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConnectionQueue, type Share } from './connection-queue.ts';

// The test says how long a connection was used, not how busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A use of a connection that lasts until the test ends it. */
function begin(queue: ConnectionQueue, share: Share) {
  const use = { began: false, end: (): void => undefined, over: Promise.resolve() };
  use.over = queue.run(share, () => {
    use.began = true;
    return new Promise<void>((resolve) => {
      use.end = resolve;
    });
  });
  return use;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Ends them one after the other, so that whoever waits for one has begun before the next is ended. */
async function endEach(uses: ReturnType<typeof begin>[]): Promise<void> {
  for (const use of uses) {
    use.end();
    await use.over;
    await settled();
  }
}
const quick = async () => undefined;
const takes = (ms: number) => async () => {
  vi.advanceTimersByTime(ms);
};
const begun = (each: { began: boolean }[]) => each.filter(({ began }) => began).length;

test('an account that is alone may use all connections but a fifth', async () => {
  const queue = new ConnectionQueue(10, 5_000);
  const [share, process] = [queue.share(), queue.shareWithoutLimit()];
  const own = Array.from({ length: 9 }, () => begin(queue, share));
  const rest = Array.from({ length: 3 }, () => begin(queue, process));
  expect([begun(own), begun(rest)]).toEqual([8, 2]);
  for (const use of [...own, ...rest]) use.end();
  await settled();
  expect([begun(own), begun(rest)]).toEqual([9, 3]);
  for (const use of [...own, ...rest]) use.end();
  await Promise.all([...own, ...rest].map(({ over }) => over));
});

test('beside others, an account begins with a fifth of the connections and earns more by being quick, all but a fifth', async () => {
  const queue = new ConnectionQueue(10, 5_000);
  const share = queue.share();
  await queue.run(queue.share(), quick);
  const first = Array.from({ length: 20 }, () => begin(queue, share));
  expect(begun(first)).toBe(2);
  await endEach(first);
  const later = Array.from({ length: 20 }, () => begin(queue, share));
  expect(begun(later)).toBe(8);
  const other = begin(queue, queue.share());
  expect(other.began).toBe(true);
  other.end();
  await endEach(later);
});

test('long statements cost what quick ones earned, down to one at a time', async () => {
  const queue = new ConnectionQueue(10, 5_000);
  const share = queue.share();
  await queue.run(queue.share(), quick);
  for (let n = 0; n < 10; n++) await queue.run(share, quick);
  expect(share.allowed).toBe(8);
  for (let n = 0; n < 3; n++) await queue.run(share, takes(15));
  expect(share.allowed).toBe(1);
  const own = [begin(queue, share), begin(queue, share)];
  expect(begun(own)).toBe(1);
  await endEach(own);
});

test('beside a statement that lasts, one more of the same account begins, but no third', async () => {
  const queue = new ConnectionQueue(10, 5_000);
  const share = queue.share();
  await queue.run(queue.share(), quick);
  for (let n = 0; n < 3; n++) await queue.run(share, takes(15));
  const own = Array.from({ length: 3 }, () => begin(queue, share));
  expect(begun(own)).toBe(1);
  await vi.waitFor(() => expect(begun(own)).toBe(2));
  // A use of another account that comes later gets a connection at once.
  await queue.run(queue.share(), quick);
  expect(begun(own)).toBe(2);
  await endEach(own);
});

test('a free connection goes to whoever has the fewest, and then to whoever had none for the longest time', async () => {
  const queue = new ConnectionQueue(2, 5_000);
  const [process, busy, quiet] = [queue.shareWithoutLimit(), queue.share(), queue.share()];
  const holding = [begin(queue, process), begin(queue, process)];
  const order: string[] = [];
  const waiting = (name: string, share: Share) => queue.run(share, async () => void order.push(name));
  const all = [waiting('busy', busy), waiting('busy', busy), waiting('busy', busy), waiting('quiet', quiet)];
  await settled();
  expect(order).toEqual([]);
  holding[0]?.end();
  await Promise.all(all);
  expect(order).toEqual(['busy', 'quiet', 'busy', 'busy']);
  holding[1]?.end();
});

test('what the process does for itself comes before all accounts', async () => {
  const queue = new ConnectionQueue(2, 5_000);
  const [process, account] = [queue.shareWithoutLimit(), queue.share()];
  const holding = [begin(queue, process), begin(queue, process)];
  const order: string[] = [];
  const waiting = (name: string, share: Share) => queue.run(share, async () => void order.push(name));
  const all = [waiting('account', account), waiting('process', process), waiting('process', process)];
  holding[0]?.end();
  await Promise.all(all);
  expect(order).toEqual(['process', 'process', 'account']);
  holding[1]?.end();
});

test('a caller who waits too long gets an error, and is no longer served', async () => {
  const queue = new ConnectionQueue(1, 20);
  const share = queue.share();
  const holding = begin(queue, share);
  await expect(queue.run(share, quick)).rejects.toThrow('timeout exceeded when trying to connect');
  holding.end();
  await holding.over;
  expect(await queue.run(share, async () => 'done')).toBe('done');
});

test('work that fails gives its connection back', async () => {
  const queue = new ConnectionQueue(1, 5_000);
  const share = queue.share();
  await expect(queue.run(share, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await queue.run(share, async () => 'done')).toBe('done');
});
