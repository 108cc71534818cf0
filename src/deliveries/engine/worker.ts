import { hostname } from 'node:os';
import type { App } from '../../app.ts';
import { endsWithin } from '../../clock.ts';
import { newId } from '../../ids.ts';
import { version } from '../../system/version.ts';
import { type CommonSweep, createRetention, type Sweep } from '../retention.ts';
import type { Sender } from '../sending/send.ts';
import { beat, forgetDeadWorkers, signOff } from '../worker-beats.ts';
import { ClaimLoop } from './claim-loop.ts';
import { ClockWatch, mendTimes } from './clock-step.ts';
import { Dispatch } from './dispatch.ts';
import { promoteDue } from './queue.store.ts';
import { measureQueue } from './queue-metrics.ts';
import { createWakeListener } from './wake-signal.ts';

export interface Worker {
  readonly id: string;
  start(): void;
  /** Says that something may be due. Cheap, because it is called after every write. */
  wake(): void;
  /**
   * Claims nothing more, lets attempts in flight end within the grace period, writes their results, gives back the rest
   * and closes the sender.
   */
  stop(): Promise<void>;
  /** Whether its loop has stopped turning. */
  isStuck(): boolean;
}

export interface WorkerOptions {
  app: App;
  sender: Sender;
  id?: string;
  /** What retention deletes besides events and deliveries. */
  sweeps?: Sweep[];
  /** What retention deletes that belongs to no account. */
  commonSweeps?: CommonSweep[];
  /** How long stop() waits for attempts in flight. Those broken off after that are sent again by another worker. */
  graceMs?: number;
  /** How long its loop may stand still. */
  stuckAfterMs?: number;
  /** How often it looks for work without having been woken. */
  pollEveryMs?: number;
}

const beatEveryMs = 2_000;
const tickEveryMs = 250;
const promoteBatch = 500;
const drainMs = 5_000;

/** Wakes, claims, sends, settles: the delivery engine of one process. */
export function createWorker(options: WorkerOptions): Worker {
  const {
    app,
    sender,
    id = newId(),
    sweeps = [],
    commonSweeps = [],
    stuckAfterMs = 15_000,
    pollEveryMs = 1_000,
  } = options;
  const { config, db, log } = app;
  const identity = { id, host: hostname(), pid: process.pid, version };
  const dispatch = new Dispatch(app, sender, { onRoom: () => claims.schedule(), onRetry: expectDue });
  const claims = new ClaimLoop(app, dispatch);
  const clock = new ClockWatch();
  const listener = createWakeListener(db, log, () => claims.wake());
  const retention = createRetention(app, sweeps, commonSweeps);
  measureQueue(app);

  let running = false;
  let polledAt = performance.now();
  let pollTimer: NodeJS.Timeout | undefined;
  let pollAt = 0;
  let mustMend = false;
  let mending: Promise<void> | undefined;
  const intervals: NodeJS.Timeout[] = [];

  function start(): void {
    running = true;
    polledAt = performance.now();
    claims.start();
    intervals.push(
      setInterval(() => dispatch.tick(), tickEveryMs),
      setInterval(() => void tellAlive(), beatEveryMs),
    );
    void listener.start();
    void tellAlive();
    schedulePoll(0);
    retention.start();
  }

  /** Looks for work every second, and when a retry falls due. */
  async function poll(): Promise<void> {
    pollTimer = undefined;
    let next = pollEveryMs;
    try {
      const askedMs = performance.now();
      const { promoted, nextInMs, nowMs } = await promoteDue(db, promoteBatch);
      polledAt = performance.now();
      claims.lookAgain();
      if (clock.wentBack(nowMs, { askedMs, answeredMs: polledAt })) mustMend = true;
      if (mustMend && mending === undefined) mending = mendClock().finally(() => (mending = undefined));
      if (promoted === promoteBatch) next = 0;
      else if (nextInMs !== null) next = Math.min(next, Math.ceil(nextInMs));
    } catch (error) {
      log.warn({ err: error }, 'poll failed');
    }
    schedulePoll(next);
  }

  /** Repeats this until it succeeds: a clock goes back when a database fails over, and then statements may fail too. */
  async function mendClock(): Promise<void> {
    mustMend = false;
    try {
      const mended = await mendTimes(db, () => running);
      if (mended > 0)
        log.warn({ deliveries: mended }, "the database's clock went back: their times were repaired");
    } catch (error) {
      mustMend = true;
      log.warn({ err: error }, 'times are not repaired yet');
    }
  }

  function schedulePoll(inMs: number): void {
    if (!running) return;
    const at = performance.now() + inMs;
    if (pollTimer !== undefined && pollAt <= at) return;
    clearTimeout(pollTimer);
    pollAt = at;
    pollTimer = setTimeout(poll, inMs);
  }

  /** Called with the time after which a retry falls due. */
  function expectDue(waitMs: number): void {
    if (waitMs < pollEveryMs) schedulePoll(Math.ceil(waitMs));
  }

  /** A beat says that the loop is turning, not just that the process is alive. */
  async function tellAlive(): Promise<void> {
    if (isStuck()) return;
    try {
      await beat(db, identity);
      await forgetDeadWorkers(db);
    } catch (error) {
      log.debug({ err: error }, 'beat failed');
    }
  }

  function isStuck(): boolean {
    return running && performance.now() - Math.max(polledAt, claims.answeredAt) > stuckAfterMs;
  }

  async function stop(): Promise<void> {
    running = false;
    clearTimeout(pollTimer);
    // A database that does not answer must not keep the process from ending.
    const quiet = Promise.allSettled([claims.stop(), mending, retention.stop(), listener.stop()]);
    await endsWithin(drainMs, quiet);
    await dispatch.stop(options.graceMs ?? Math.min(config.WEBHOOK_TIMEOUT_MS, 5_000), drainMs);
    for (const interval of intervals) clearInterval(interval);
    await endsWithin(drainMs, signOff(db, id)).catch(() => undefined);
  }

  return { id, start, wake: () => claims.wake(), stop, isStuck };
}
