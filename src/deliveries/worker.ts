import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '../app.ts';
import { newId } from '../ids.ts';
import { metricsOf } from '../metrics.ts';
import { version } from '../version.ts';
import { claim, claimMost, laneOf, promoteDue } from './claim.ts';
import { ClockWatch, mendTimes } from './clock-step.ts';
import { Dispatch } from './dispatch.ts';
import { startLimit } from './lanes.ts';
import { leaseMs } from './leases.ts';
import { measureQueue } from './queue-metrics.ts';
import { createRetention, type Sweep } from './retention.ts';
import type { Sender } from './send.ts';
import { createWakeListener } from './wake-listener.ts';
import { beat, forgetDeadWorkers, signOff } from './workers.store.ts';

export interface Worker {
  readonly id: string;
  start(): void;
  /** Something may be due. Cheap: called after every write. */
  wake(): void;
  /**
   * Claims nothing more, lets what is in flight end (within the grace), writes the results down and gives
   * back the rest. Closes the sender.
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
  /** How long stop() waits for what is in flight; what is broken off goes out again from another worker. */
  graceMs?: number;
  /** How long its loop may stand still. */
  stuckAfterMs?: number;
}

const pollEveryMs = 1_000;
const beatEveryMs = 2_000;
const sweepEveryMs = 250;
const promoteBatch = 500;
/** The least time from one claim to the next, so that a stream of writes is served in batches. */
const claimEveryMs = 4;
/** And after one that found nothing. A wake-up may come sooner, until this many in a row were for nothing. */
const claimEmptyEveryMs = 20;
const mostFruitlessWakes = 5;
const drainMs = 5_000;

/** Wakes, claims, sends, settles: the delivery engine of one process. */
export function createWorker(options: WorkerOptions): Worker {
  const { app, sender, id = newId(), sweeps = [], stuckAfterMs = 15_000 } = options;
  const { config, db, log } = app;
  const metrics = metricsOf(app);
  const maxAttempts = config.WEBHOOK_RETRY_DELAYS_MS.length + 1;
  const identity = { id, host: hostname(), pid: process.pid, version };
  const dispatch = new Dispatch(app, sender, { onRoom: scheduleClaim, onWait: expectDue });
  const clock = new ClockWatch();
  const listener = createWakeListener(db, log, wake);
  const retention = createRetention(app, sweeps);
  measureQueue(app);

  let running = false;
  let turnedAt = performance.now();
  // Claims: at most one under way, another wanted after it or not.
  let dirty = false;
  let claiming: Promise<void> | undefined;
  let claimTimer: NodeJS.Timeout | undefined;
  let claimsNow = false;
  let notBefore = 0;
  let notBeforeWoken = 0;
  /** Somebody wrote something; most writes may have no subscribers at all. */
  let woken = false;
  let fruitlessWakes = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  // Polls.
  let pollTimer: NodeJS.Timeout | undefined;
  let pollAt = 0;
  let mustMend = false;
  let mending: Promise<void> | undefined;
  const intervals: NodeJS.Timeout[] = [];

  function start(): void {
    running = true;
    turnedAt = performance.now();
    intervals.push(
      setInterval(() => dispatch.sweep(), sweepEveryMs),
      setInterval(() => void tellAlive(), beatEveryMs),
    );
    void listener.start();
    void tellAlive();
    schedulePoll(0);
    retention.start();
  }

  function wake(): void {
    dirty = true;
    woken = true;
    if (fruitlessWakes < mostFruitlessWakes) stopClaimTimer();
    scheduleClaim();
  }

  /** Looks for what is due without having been told of anything. */
  function lookAgain(): void {
    dirty = true;
    scheduleClaim();
  }

  function scheduleClaim(): void {
    if (!running || claiming !== undefined || claimsNow || claimTimer !== undefined) return;
    const promptly = woken && fruitlessWakes < mostFruitlessWakes;
    const wait = (promptly ? notBeforeWoken : notBefore) - performance.now();
    // The shortest timeout is a whole millisecond, a quarter of what a delivery takes from commit to receipt.
    claimsNow = wait <= 0;
    if (claimsNow) setImmediate(startClaim);
    else claimTimer = setTimeout(startClaim, wait);
  }

  function stopClaimTimer(): void {
    clearTimeout(claimTimer);
    claimTimer = undefined;
  }

  function startClaim(): void {
    claimTimer = undefined;
    claimsNow = false;
    // With no room, the next results make some and ask again; so does the sweep that renews leases.
    if (!running || !dispatch.hasRoom || dispatch.isUnsure || (!dirty && !dispatch.isHungry())) return;
    claiming = claimOnce()
      .catch((error) => {
        log.warn({ err: error }, 'claim failed');
        dirty = true;
        notBefore = performance.now() + pollEveryMs;
        notBeforeWoken = notBefore;
      })
      .finally(() => {
        claiming = undefined;
        if (dirty || dispatch.isHungry()) scheduleClaim();
      });
  }

  async function claimOnce(): Promise<void> {
    dirty = false;
    const wasWoken = woken;
    woken = false;
    const most = Math.min(claimMost, dispatch.room);
    const claimId = newId();
    const rooms = dispatch.rooms();
    const claimedAt = performance.now();
    notBefore = claimedAt + claimEveryMs;
    notBeforeWoken = notBefore;
    const request = {
      claimId,
      after,
      most,
      perLane: startLimit,
      rooms,
      leaseMs,
      maxAttempts,
      now: app.now(),
    };
    const { rows, endpoints } = await claim(db, request);
    turnedAt = performance.now();
    metrics.claimSeconds.observe((turnedAt - claimedAt) / 1000);
    metrics.claimed.inc(rows.length);
    const wholeRound = rows.length < most;
    if (!wholeRound) dirty = true;
    if (rows.length === 0) notBefore = claimedAt + claimEmptyEveryMs;
    // What is written right after a look that nobody asked for must not wait for it.
    if (rows.length === 0 && !wasWoken) notBeforeWoken = 0;
    if (wasWoken) fruitlessWakes = rows.length === 0 ? fruitlessWakes + 1 : 0;
    const last = rows.at(-1);
    if (last !== undefined) after = laneOf(last);
    dispatch.receive({ claimId, claimedAt, rows, endpoints, rooms, wholeRound });
  }

  /** Looks without being asked, every second and when a retry falls due. */
  async function poll(): Promise<void> {
    pollTimer = undefined;
    let next = pollEveryMs;
    try {
      const askedMs = performance.now();
      const { promoted, nextInMs, nowMs } = await promoteDue(db, promoteBatch);
      turnedAt = performance.now();
      lookAgain();
      if (clock.wentBack(nowMs, { askedMs, answeredMs: turnedAt })) mustMend = true;
      if (mustMend && mending === undefined) mending = mendClock().finally(() => (mending = undefined));
      if (promoted === promoteBatch) next = 0;
      else if (nextInMs !== null) next = Math.min(next, Math.ceil(nextInMs));
    } catch (error) {
      log.warn({ err: error }, 'poll failed');
    }
    schedulePoll(next);
  }

  /** Until it is done: a clock goes back where a database fails over, and there the first try may fail as well. */
  async function mendClock(): Promise<void> {
    mustMend = false;
    try {
      const mended = await mendTimes(db, () => running);
      if (mended > 0)
        log.warn({ deliveries: mended }, "the database's clock went back: their times are mended");
    } catch (error) {
      mustMend = true;
      log.warn({ err: error }, 'times are not mended yet');
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

  /** A retry was put off by this long. */
  function expectDue(waitMs: number): void {
    if (waitMs < pollEveryMs) schedulePoll(Math.ceil(waitMs));
  }

  /** The beat tells that the loop turns, not only that the process lives. */
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
    return running && performance.now() - turnedAt > stuckAfterMs;
  }

  async function stop(): Promise<void> {
    running = false;
    stopClaimTimer();
    clearTimeout(pollTimer);
    // A database that does not answer must not keep the process.
    const quiet = Promise.allSettled([claiming, mending, retention.stop(), listener.stop()]);
    await Promise.race([quiet, sleep(drainMs, undefined, { ref: false })]);
    await dispatch.stop(options.graceMs ?? Math.min(config.WEBHOOK_TIMEOUT_MS, 5_000), drainMs);
    for (const interval of intervals) clearInterval(interval);
    await signOff(db, id).catch(() => undefined);
  }

  return { id, start, wake, stop, isStuck };
}
