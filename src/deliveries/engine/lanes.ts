import type { Place } from '../../line.ts';
import type { OutcomeKind } from '../sending/outcome.ts';
import type { Endpoint, Job } from './job.ts';

/** How many are in flight to an endpoint that has not shown yet what it can take. */
export const startLimit = 4;

/** An attempt that takes longer holds a slot that others could use. */
export const slowMs = 1_000;

/** An answer is quick if it comes within this time, or takes at most twice as long as the endpoint's best. */
const quickMs = 50;

/** A quick lane has as much claimed ahead as it works off in this time, so that it never waits for a claim. */
const aheadMs = 200;
/** At most this many for each in flight. */
const mostAhead = 4;

/**
 * What is known about how long an endpoint holds a slot. Trusted: its last answer came quickly, whatever it
 * said. Unproven: it came slowly, or there was none yet. Suspect: none came, or is taking long now.
 */
export type Trust = 'trusted' | 'unproven' | 'suspect';

/** One endpoint's line: claimed deliveries that wait, those in flight, and how many of those it has earned. */
export interface Lane {
  readonly id: string;
  endpoint: Endpoint;
  readonly waiting: Job[];
  /** Its place among the lanes that wait. */
  turn: Place<Lane> | null;
  inFlight: number;
  limit: number;
  trust: Trust;
  /** How long its attempts take, the latest counting most. */
  usualMs: number;
  /** How quick it can be: its best, slowly forgotten. */
  bestMs: number;
  /** Whether the database may have more for it than was claimed. */
  more: boolean;
  usedAt: number;
}

export interface LaneOptions {
  /** Most in flight over all lanes. */
  concurrency: number;
  /** Most in flight in one lane. */
  perEndpoint: number;
}

/**
 * Shares a worker's slots among the endpoints.
 *
 * A lane's own limit adapts to its endpoint. Beyond that, lanes share the slots so that none can take
 * them all: a lane may have at most as many in flight as are left free (one busy lane gets half, two get
 * a third each, and there is always a slot for the next). Endpoints that hold their slots for long, and
 * those nothing is known about, have only a part of the slots between them, so that hundreds of hanging
 * endpoints leave the quick ones theirs.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #inFlight: Record<Trust, number> = { trusted: 0, unproven: 0, suspect: 0 };
  #total = 0;
  readonly #most: Record<Trust | 'untrusted', number>;
  readonly #perEndpoint: number;
  readonly #isAside: (laneId: string) => boolean;

  /** A lane that is aside is not served: its results could not be written down. */
  constructor({ concurrency, perEndpoint }: LaneOptions, isAside = (_laneId: string) => false) {
    this.#perEndpoint = perEndpoint;
    this.#isAside = isAside;
    this.#most = {
      trusted: concurrency,
      unproven: Math.max(1, Math.floor(concurrency / 2)),
      suspect: Math.max(1, Math.floor(concurrency / 4)),
      // A lane can turn suspect with deliveries in flight, so the two above do not bound their sum.
      untrusted: Math.max(1, Math.floor((concurrency * 3) / 4)),
    };
  }

  /** Over all lanes. */
  get inFlight(): number {
    return this.#total;
  }

  /** No lane may send anything. */
  get areFull(): boolean {
    return this.#total >= this.#most.trusted;
  }

  all(): Iterable<Lane> {
    return this.#lanes.values();
  }

  get(id: string): Lane | undefined {
    return this.#lanes.get(id);
  }

  open(id: string, endpoint: Endpoint, trust: Trust, now: number): Lane {
    const limit = Math.min(startLimit, this.#perEndpoint);
    const lane: Lane = {
      id,
      endpoint,
      waiting: [],
      turn: null,
      inFlight: 0,
      limit,
      trust,
      usualMs: aheadMs,
      bestMs: slowMs,
      more: false,
      usedAt: now,
    };
    this.#lanes.set(id, lane);
    return lane;
  }

  maySend(lane: Lane): boolean {
    return !this.#isAside(lane.id) && lane.inFlight < this.#allowance(lane);
  }

  started(lane: Lane, now: number): void {
    lane.inFlight++;
    lane.usedAt = now;
    this.#inFlight[lane.trust]++;
    this.#total++;
  }

  ended(lane: Lane, kind: OutcomeKind, durationMs: number): void {
    const atLimit = lane.inFlight >= lane.limit;
    lane.inFlight--;
    this.#inFlight[lane.trust]--;
    this.#total--;
    if (kind === 'stopped') return;
    const hung = kind === 'timeout' || kind === 'connect_timeout';
    this.#setTrust(lane, hung ? 'suspect' : durationMs <= slowMs ? 'trusted' : 'unproven');
    lane.usualMs += (durationMs - lane.usualMs) / 4;
    lane.bestMs = Math.min(durationMs, lane.bestMs * 1.001);
    if (wantsLess.has(kind)) lane.limit = Math.max(1, Math.floor(lane.limit / 2));
    else if (kind === 'success') this.#adapt(lane, durationMs, atLimit);
  }

  /**
   * More at a time as long as that makes no answer slower; where it does, the endpoint has all it can take
   * and more would only wait there.
   */
  #adapt(lane: Lane, durationMs: number, atLimit: boolean): void {
    const quick = durationMs <= Math.max(quickMs, 2 * lane.bestMs);
    // Only a lane that used all of its limit has shown that it can take it.
    const most = durationMs <= slowMs ? this.#perEndpoint : startLimit;
    if (quick && atLimit && lane.limit < most) lane.limit++;
    else if (!quick && lane.limit > startLimit) lane.limit--;
  }

  /** An attempt of this lane is taking long. */
  suspect(lane: Lane): void {
    this.#setTrust(lane, 'suspect');
  }

  /**
   * How many more to claim for each lane known here, where it is not `startLimit`. Quick lanes are served
   * ahead; of the others only as many as may be sent at once, those that have waited longest first.
   */
  rooms(): Record<string, number> {
    const rooms: Record<string, number> = {};
    const { unproven: most } = this.#most;
    const left = { unproven: this.#left('unproven', most), suspect: this.#left('suspect', most) };
    const granted: Lane[] = [];
    for (const lane of this.#lanes.values()) {
      const held = lane.inFlight + lane.waiting.length;
      let room =
        held === 0 && lane.limit <= startLimit ? startLimit : Math.max(0, lane.limit + ahead(lane) - held);
      if (lane.trust !== 'trusted') {
        // An idle one is looked at whatever is left: were it passed over, it would have to be asked for again, and two
        // hundred such lanes would keep the worker asking for nothing.
        const least = lane.more || held > 0 ? 0 : 1;
        room = Math.max(least, Math.min(this.#allowance(lane) - held, left[lane.trust]));
        // A lane without a backlog asks for nothing, most likely: it does not use up the others' turn.
        if (lane.more) left[lane.trust] -= room;
        if (lane.more && room > 0) granted.push(lane);
      }
      if (this.#isAside(lane.id)) room = 0;
      // Not looked at, so there may be more.
      if (room === 0) lane.more = true;
      if (room !== startLimit) rooms[lane.id] = room;
    }
    for (const lane of granted) this.#moveBack(lane);
    return rooms;
  }

  /** Whether a claim would find something for this lane that it can take. */
  isHungry(lane: Lane): boolean {
    if (!lane.more || this.#isAside(lane.id)) return false;
    if (lane.trust !== 'trusted') return lane.waiting.length === 0 && this.maySend(lane);
    // Early enough for the claim to be back before the lane runs dry.
    return lane.waiting.length <= ahead(lane) / 2;
  }

  /** Whether lanes that were passed over could be served now. */
  isAnyHungry(): boolean {
    for (const lane of this.#lanes.values()) if (this.isHungry(lane)) return true;
    return false;
  }

  /** Forgets lanes that have been empty for a while; what they earned is earned again in moments. */
  forgetIdle(before: number): void {
    for (const lane of this.#lanes.values()) {
      const idle = lane.inFlight === 0 && lane.waiting.length === 0 && !lane.more;
      if (idle && lane.usedAt < before) this.#lanes.delete(lane.id);
    }
  }

  forget(lane: Lane): void {
    this.#lanes.delete(lane.id);
  }

  /** Most that may be in flight in this lane, as things stand. */
  #allowance(lane: Lane): number {
    // Nothing in flight: it gets a chance to show that it answers again, before others hang twice.
    const most = lane.inFlight === 0 ? this.#most.unproven : this.#most.suspect;
    const left = this.#left(lane.trust, most);
    if (left <= 0) return 0;
    if (lane.trust === 'trusted') return Math.min(lane.limit, left);
    // The fuller their part gets, the fewer for each: 34 unproven endpoints that hang leave one for the next.
    return Math.min(lane.limit, Math.ceil((startLimit * left) / this.#most[lane.trust]));
  }

  /** Slots left to lanes of this kind. */
  #left(trust: Trust, mostSuspect: number): number {
    const free = this.#most.trusted - this.#total;
    if (trust === 'trusted') return free;
    const most = trust === 'suspect' ? mostSuspect : this.#most.unproven;
    const untrusted = this.#inFlight.unproven + this.#inFlight.suspect;
    return Math.min(free, most - this.#inFlight[trust], this.#most.untrusted - untrusted);
  }

  #setTrust(lane: Lane, trust: Trust): void {
    if (lane.trust === trust) return;
    this.#inFlight[lane.trust] -= lane.inFlight;
    this.#inFlight[trust] += lane.inFlight;
    lane.trust = trust;
  }

  #moveBack(lane: Lane): void {
    this.#lanes.delete(lane.id);
    this.#lanes.set(lane.id, lane);
  }
}

const ahead = (lane: Lane): number =>
  Math.ceil(lane.limit * Math.min(mostAhead, aheadMs / Math.max(1, lane.usualMs)));

/** It times out, refuses or asks for patience. */
const wantsLess: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>([
  'timeout',
  'connect_timeout',
  'refused',
  'unreachable',
  'reset',
  'dns',
  'tls',
  'throttled',
]);
