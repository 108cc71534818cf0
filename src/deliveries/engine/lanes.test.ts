import { describe, expect, test } from 'vitest';
import type { OutcomeKind } from '../sending/outcome.ts';
import type { Endpoint } from './delivery.ts';
import { type Lane, Lanes, type Trust } from './lanes.ts';

const endpoint: Endpoint = {
  id: '',
  publicId: '',
  publicAccountId: '',
  url: '',
  disabled: false,
  keys: null,
  isFailing: false,
  hasSucceeded: false,
};
let opened = 0;

const open = (lanes: Lanes, trust: Trust = 'unproven'): Lane =>
  lanes.open(`lane ${++opened}`, endpoint, trust, 0);

/** Sends as many as the lane may have in flight. */
function fill(lanes: Lanes, lane: Lane): number {
  while (lanes.maySend(lane)) lanes.started(lane, 0);
  return lane.inFlight;
}

function endAll(lanes: Lanes, lane: Lane, kind: OutcomeKind, durationMs: number): void {
  while (lane.inFlight > 0) lanes.ended(lane, kind, durationMs);
}

/** The lane sends all it may and every attempt ends this way, until its limit no longer changes. */
function settleDown(lanes: Lanes, lane: Lane, kind: OutcomeKind, durationMs: number): number {
  for (let before = -1; before !== lane.limit; ) {
    before = lane.limit;
    fill(lanes, lane);
    endAll(lanes, lane, kind, durationMs);
  }
  return lane.limit;
}

describe('how many are in flight to one endpoint', () => {
  test('starts at 4', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    expect(fill(lanes, open(lanes))).toBe(4);
  });

  test('grows to the setting while it answers quickly and well', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    expect(settleDown(lanes, open(lanes), 'success', 5)).toBe(64);
    expect(settleDown(lanes, open(lanes), 'http_error', 5)).toBe(4);
    expect(settleDown(lanes, open(lanes), 'success', 3_000)).toBe(4);
  });

  test('stops growing where more at a time only makes it slower', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    const lane = open(lanes);
    // The receiver handles ten at a time in 100 ms. The others wait there.
    for (let i = 0; i < 200; i++) {
      fill(lanes, lane);
      while (lane.inFlight > 0) lanes.ended(lane, 'success', 100 * Math.max(1, lane.inFlight / 10));
    }
    expect(lane.limit).toBeGreaterThan(10);
    expect(lane.limit).toBeLessThan(30);
  });

  test('does not grow while fewer are needed', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    const lane = open(lanes);
    for (let i = 0; i < 100; i++) {
      lanes.started(lane, 0);
      lanes.ended(lane, 'success', 5);
    }
    expect(lane.limit).toBe(4);
  });

  test.each(['timeout', 'connect_timeout', 'refused', 'reset', 'throttled', 'dns', 'tls'] as const)(
    'falls to 1 with %s, and recovers',
    (kind) => {
      const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
      const lane = open(lanes);
      settleDown(lanes, lane, 'success', 5);
      expect(settleDown(lanes, lane, kind, 15_000)).toBe(1);
      expect(settleDown(lanes, lane, 'success', 5)).toBe(64);
    },
  );

  test('never exceeds the setting, however small', () => {
    const lanes = new Lanes({ concurrency: 2, perEndpoint: 1 });
    const lane = open(lanes);
    expect(settleDown(lanes, lane, 'success', 5)).toBe(1);
    expect(fill(lanes, lane)).toBe(1);
  });
});

describe('how the slots are shared', () => {
  test('one busy endpoint leaves half of them free, ten leave one in eleven', () => {
    for (const [count, most] of [
      [1, 64],
      [10, 117],
    ] as const) {
      const lanes = new Lanes({ concurrency: 128, perEndpoint: 128 });
      const busy = Array.from({ length: count }, () => open(lanes));
      for (const lane of busy) settleDown(lanes, lane, 'success', 5);
      // The lanes take turns, as they do in a worker.
      while (busy.some((lane) => lanes.maySend(lane))) {
        for (const lane of busy) if (lanes.maySend(lane)) lanes.started(lane, 0);
      }
      expect(lanes.inFlight).toBeLessThanOrEqual(most);
      expect(lanes.maySend(open(lanes, 'trusted'))).toBe(true);
    }
  });

  test('hundreds of endpoints that hang leave a quarter of them to the quick ones', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    const quick = open(lanes);
    settleDown(lanes, quick, 'success', 5);
    for (let second = 0; second < 10; second++) {
      for (let i = 0; i < 50; i++) fill(lanes, open(lanes));
      // A second later the worker sees that they hang.
      for (const lane of lanes.all()) if (lane.inFlight > 0) lanes.suspect(lane);
    }
    expect(lanes.inFlight).toBeLessThanOrEqual(96);
    expect(fill(lanes, quick)).toBeGreaterThanOrEqual(16);
    expect(lanes.maySend(open(lanes, 'trusted'))).toBe(true);
  });

  test('new endpoints that hang leave slots to new ones that do not', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    for (let i = 0; i < 33; i++) fill(lanes, open(lanes));
    expect(lanes.maySend(open(lanes))).toBe(true);
  });

  test('with one slot in all, everybody gets it in turn', () => {
    const lanes = new Lanes({ concurrency: 1, perEndpoint: 64 });
    const [one, two] = [open(lanes), open(lanes, 'suspect')];
    expect(fill(lanes, one)).toBe(1);
    expect(lanes.maySend(two)).toBe(false);
    endAll(lanes, one, 'success', 5);
    expect(fill(lanes, two)).toBe(1);
  });
});

describe('what is claimed for a lane', () => {
  test('a quick one is claimed ahead, one that hangs is not', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    const quick = open(lanes);
    settleDown(lanes, quick, 'success', 2);
    const hanging = open(lanes);
    settleDown(lanes, hanging, 'timeout', 15_000);
    expect(lanes.rooms()).toEqual({ [quick.id]: 64 + 4 * 64, [hanging.id]: 1 });
    fill(lanes, quick);
    fill(lanes, hanging);
    expect(lanes.rooms()).toEqual({ [quick.id]: 4 * 64, [hanging.id]: 0 });
    expect(hanging.more).toBe(true);
  });

  test('a quick one that is alone is claimed further ahead', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    const quick = open(lanes);
    settleDown(lanes, quick, 'success', 2);
    fill(lanes, quick);
    expect(lanes.rooms()).toEqual({ [quick.id]: 8 * 64 });
    lanes.started(open(lanes), 0);
    expect(lanes.rooms()).toEqual({ [quick.id]: 4 * 64, [`lane ${opened}`]: expect.any(Number) });
  });

  test('lanes that wait for one of the few slots get it in turn', () => {
    const lanes = new Lanes({ concurrency: 4, perEndpoint: 64 });
    const waiting = [open(lanes, 'suspect'), open(lanes, 'suspect'), open(lanes, 'suspect')];
    for (const lane of waiting) lane.more = true;
    const turns = Array.from({ length: 6 }, () => {
      const rooms = lanes.rooms();
      return waiting.findIndex(({ id }) => (rooms[id] ?? 0) > 0);
    });
    expect(turns).toEqual([0, 1, 2, 0, 1, 2]);
  });

  test('idle lanes are forgotten', () => {
    const lanes = new Lanes({ concurrency: 128, perEndpoint: 64 });
    const idle = open(lanes);
    const busy = open(lanes);
    lanes.started(busy, 0);
    lanes.forgetIdle(1);
    expect(lanes.get(idle.id)).toBeUndefined();
    expect(lanes.get(busy.id)).toBe(busy);
  });
});
