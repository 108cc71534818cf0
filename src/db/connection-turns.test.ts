import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConnectionTurns, type Share } from './connection-turns.ts';

// The test says how long a turn took, not how busy the machine is.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** A turn that lasts until the test ends it. */
function begin(turns: ConnectionTurns, share: Share) {
  const turn = { began: false, end: (): void => undefined, over: Promise.resolve() };
  turn.over = turns.run(share, () => {
    turn.began = true;
    return new Promise<void>((resolve) => {
      turn.end = resolve;
    });
  });
  return turn;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
/** Ends them one after the other, so that whoever waits for one has begun before the next is ended. */
async function endEach(turns: ReturnType<typeof begin>[]): Promise<void> {
  for (const turn of turns) {
    turn.end();
    await turn.over;
    await settled();
  }
}
const quick = async () => undefined;
const takes = (ms: number) => async () => {
  vi.advanceTimersByTime(ms);
};
const begun = (each: { began: boolean }[]) => each.filter(({ began }) => began).length;

test('an account that is alone may use all connections but a fifth', async () => {
  const turns = new ConnectionTurns(10, 5_000);
  const [share, process] = [turns.share(), turns.shareWithoutLimit()];
  const own = Array.from({ length: 9 }, () => begin(turns, share));
  const rest = Array.from({ length: 3 }, () => begin(turns, process));
  expect([begun(own), begun(rest)]).toEqual([8, 2]);
  for (const turn of [...own, ...rest]) turn.end();
  await settled();
  expect([begun(own), begun(rest)]).toEqual([9, 3]);
  for (const turn of [...own, ...rest]) turn.end();
  await Promise.all([...own, ...rest].map(({ over }) => over));
});

test('beside others, an account begins with a fifth of the connections and earns more by being quick, all but a fifth', async () => {
  const turns = new ConnectionTurns(10, 5_000);
  const share = turns.share();
  await turns.run(turns.share(), quick);
  const first = Array.from({ length: 20 }, () => begin(turns, share));
  expect(begun(first)).toBe(2);
  await endEach(first);
  const later = Array.from({ length: 20 }, () => begin(turns, share));
  expect(begun(later)).toBe(8);
  const other = begin(turns, turns.share());
  expect(other.began).toBe(true);
  other.end();
  await endEach(later);
});

test('long statements cost what quick ones earned, down to one at a time', async () => {
  const turns = new ConnectionTurns(10, 5_000);
  const share = turns.share();
  await turns.run(turns.share(), quick);
  for (let n = 0; n < 10; n++) await turns.run(share, quick);
  expect(share.allowed).toBe(8);
  for (let n = 0; n < 3; n++) await turns.run(share, takes(15));
  expect(share.allowed).toBe(1);
  const own = [begin(turns, share), begin(turns, share)];
  expect(begun(own)).toBe(1);
  await endEach(own);
});

test('beside a statement that lasts, one more of the same account begins, but no third', async () => {
  const turns = new ConnectionTurns(10, 5_000);
  const share = turns.share();
  await turns.run(turns.share(), quick);
  for (let n = 0; n < 3; n++) await turns.run(share, takes(15));
  const own = Array.from({ length: 3 }, () => begin(turns, share));
  expect(begun(own)).toBe(1);
  await vi.waitFor(() => expect(begun(own)).toBe(2));
  // A turn of another account that comes later gets a connection at once.
  await turns.run(turns.share(), quick);
  expect(begun(own)).toBe(2);
  await endEach(own);
});

test('a free connection goes to whoever has the fewest, and then to whoever had none for the longest time', async () => {
  const turns = new ConnectionTurns(2, 5_000);
  const [process, busy, quiet] = [turns.shareWithoutLimit(), turns.share(), turns.share()];
  const holding = [begin(turns, process), begin(turns, process)];
  const order: string[] = [];
  const waiting = (name: string, share: Share) => turns.run(share, async () => void order.push(name));
  const all = [waiting('busy', busy), waiting('busy', busy), waiting('busy', busy), waiting('quiet', quiet)];
  await settled();
  expect(order).toEqual([]);
  holding[0]?.end();
  await Promise.all(all);
  expect(order).toEqual(['busy', 'quiet', 'busy', 'busy']);
  holding[1]?.end();
});

test('what the process does for itself comes before all accounts', async () => {
  const turns = new ConnectionTurns(2, 5_000);
  const [process, account] = [turns.shareWithoutLimit(), turns.share()];
  const holding = [begin(turns, process), begin(turns, process)];
  const order: string[] = [];
  const waiting = (name: string, share: Share) => turns.run(share, async () => void order.push(name));
  const all = [waiting('account', account), waiting('process', process), waiting('process', process)];
  holding[0]?.end();
  await Promise.all(all);
  expect(order).toEqual(['process', 'process', 'account']);
  holding[1]?.end();
});

test('a caller who waits too long gets an error, and is no longer served', async () => {
  const turns = new ConnectionTurns(1, 20);
  const share = turns.share();
  const holding = begin(turns, share);
  await expect(turns.run(share, quick)).rejects.toThrow('timeout exceeded when trying to connect');
  holding.end();
  await holding.over;
  expect(await turns.run(share, async () => 'done')).toBe('done');
});

test('work that fails gives its connection back', async () => {
  const turns = new ConnectionTurns(1, 5_000);
  const share = turns.share();
  await expect(turns.run(share, () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
  expect(await turns.run(share, async () => 'done')).toBe('done');
});
