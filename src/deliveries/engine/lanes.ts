import type { OutcomeKind } from '../sending/outcome.ts';
import type { Delivery, Endpoint } from './delivery.ts';

/** How many deliveries may be in flight to an endpoint that has not yet shown how many it can take. */
export const startLimit = 4;

/** An attempt that takes longer than this holds a slot that others could use. */
export const slowMs = 1_000;

/** An answer is quick if it comes within this time, or within twice the endpoint's best time. */
const quickMs = 50;

/** For a quick lane, as much is claimed ahead as it sends in this time, so that it never waits for a claim. */
const aheadMs = 200;
/**
 * But at most this many for each delivery in flight. A lane that is alone gets more, because it takes no other lane's
 * turn, and a few large claims cost less than many small ones.
 */
const mostAhead = 4;
const mostAheadAlone = 8;

/**
 * How long an endpoint is expected to hold a slot. Trusted: its last answer came quickly, whatever it said. Unproven:
 * its last answer came slowly, or there has been none yet. Suspect: no answer came, or one is taking long now.
 */
export type Trust = 'trusted' | 'unproven' | 'suspect';

/** One endpoint in this process: its waiting deliveries, how many are in flight, and how many may be. */
export interface Lane {
  readonly id: string;
  endpoint: Endpoint;
  readonly waiting: Delivery[];
  inFlight: number;
  limit: number;
  trust: Trust;
  /** A moving average of the time that its attempts take. */
  usualMs: number;
  /** Its best time, slowly forgotten. */
  bestMs: number;
  /** Whether the database may have more deliveries for it than were claimed. */
  more: boolean;
  usedAt: number;
}

interface LaneOptions {
  /** How many deliveries may be in flight over all lanes. */
  concurrency: number;
  /** How many deliveries may be in flight in one lane. */
  perEndpoint: number;
}

/**
 * Shares a worker's slots among the endpoints.
 *
 * A lane's own limit adapts to its endpoint. In addition, no lane may have more in flight than there are free slots:
 * one busy lane gets half of them, two get a third each, and there is always a slot for the next. Endpoints that hold
 * their slots for long, or about which nothing is known, share a part of the slots, so hundreds of hanging endpoints
 * cannot take the slots of quick ones.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #inFlight: Record<Trust, number> = { trusted: 0, unproven: 0, suspect: 0 };
  #total = 0;
  readonly #most: Record<Trust | 'untrusted', number>;
  readonly #perEndpoint: number;
  readonly #aside: ReadonlyMap<string, unknown>;

  /** `aside` has the endpoints that are not served, because their results cannot be written at present. */
  constructor({ concurrency, perEndpoint }: LaneOptions, aside: ReadonlyMap<string, unknown> = new Map()) {
    this.#perEndpoint = perEndpoint;
    this.#aside = aside;
    this.#most = {
      trusted: concurrency,
      unproven: Math.max(1, Math.floor(concurrency / 2)),
      suspect: Math.max(1, Math.floor(concurrency / 4)),
      // A lane can become suspect with deliveries in flight, so the two limits above do not bound their sum.
      untrusted: Math.max(1, Math.floor((concurrency * 3) / 4)),
    };
  }

  /** How many deliveries are in flight over all lanes. */
  get inFlight(): number {
    return this.#total;
  }

  /** Whether every slot is taken. */
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
    return !this.#aside.has(lane.endpoint.id) && lane.inFlight < this.#allowance(lane);
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
   * Raises the limit as long as that makes no answer slower. Once it does, the endpoint has all it can take, and more
   * would only wait there.
   */
  #adapt(lane: Lane, durationMs: number, atLimit: boolean): void {
    const quick = durationMs <= Math.max(quickMs, 2 * lane.bestMs);
    // Only a lane that used its whole limit has shown that it can take that many.
    const most = durationMs <= slowMs ? this.#perEndpoint : startLimit;
    if (quick && atLimit && lane.limit < most) lane.limit++;
    else if (!quick && lane.limit > startLimit) lane.limit--;
  }

  /** Called when one of the lane's attempts is taking long. */
  suspect(lane: Lane): void {
    this.#setTrust(lane, 'suspect');
  }

  /**
   * How many more to claim for each known lane, unless it is `startLimit`. Quick lanes get some ahead. The others get
   * only as many as may be sent at once, and those that have waited longest come first.
   */
  rooms(): Record<string, number> {
    const rooms: Record<string, number> = {};
    const { unproven: most } = this.#most;
    const left = { unproven: this.#left('unproven', most), suspect: this.#left('suspect', most) };
    const granted: Lane[] = [];
    for (const lane of this.#lanes.values()) {
      const held = lane.inFlight + lane.waiting.length;
      let room =
        held === 0 && lane.limit <= startLimit
          ? startLimit
          : Math.max(0, lane.limit + this.#ahead(lane) - held);
      if (lane.trust !== 'trusted') {
        // A claim never skips an idle lane. Otherwise another claim would have to look at it, and two hundred such
        // lanes would keep the worker claiming nothing.
        const least = lane.more || held > 0 ? 0 : 1;
        room = Math.max(least, Math.min(this.#allowance(lane) - held, left[lane.trust]));
        // A lane without a backlog most likely has nothing due, so it does not use up the room of others.
        if (lane.more) left[lane.trust] -= room;
        if (lane.more && room > 0) granted.push(lane);
      }
      if (this.#aside.has(lane.endpoint.id)) room = 0;
      // The claim will not look at this lane, so there may be more.
      if (room === 0) lane.more = true;
      if (room !== startLimit) rooms[lane.id] = room;
    }
    for (const lane of granted) this.#moveBack(lane);
    return rooms;
  }

  /** Whether a claim would find something that this lane can take. */
  isHungry(lane: Lane): boolean {
    if (!lane.more || this.#aside.has(lane.endpoint.id)) return false;
    if (lane.trust !== 'trusted') return lane.waiting.length === 0 && this.maySend(lane);
    // Early enough for the claim to return before the lane runs dry.
    return lane.waiting.length <= this.#ahead(lane) / 2;
  }

  /** Whether a claim would find something for any lane. */
  isAnyHungry(): boolean {
    for (const lane of this.#lanes.values()) if (this.isHungry(lane)) return true;
    return false;
  }

  /** Forgets lanes that have been empty for a while. An endpoint soon earns its limit again. */
  forgetIdle(before: number): void {
    for (const lane of this.#lanes.values()) {
      const idle = lane.inFlight === 0 && lane.waiting.length === 0 && !lane.more;
      if (idle && lane.usedAt < before) this.#lanes.delete(lane.id);
    }
  }

  forget(lane: Lane): void {
    this.#lanes.delete(lane.id);
  }

  /** How many deliveries are claimed for a quick lane beyond those that may be in flight. */
  #ahead(lane: Lane): number {
    const isAlone = lane.inFlight > 0 && lane.inFlight === this.#total;
    const most = isAlone ? mostAheadAlone : mostAhead;
    return Math.ceil(lane.limit * Math.min(most, aheadMs / Math.max(1, lane.usualMs)));
  }

  /** How many may be in flight in this lane at the moment. */
  #allowance(lane: Lane): number {
    // A lane with nothing in flight gets a chance to show that it answers again, before another one gets a second.
    const most = lane.inFlight === 0 ? this.#most.unproven : this.#most.suspect;
    const left = this.#left(lane.trust, most);
    if (left <= 0) return 0;
    if (lane.trust === 'trusted') return Math.min(lane.limit, left);
    // The fuller their part is, the fewer slots each lane gets: 34 unproven endpoints that hang still leave one for the
    // next.
    return Math.min(lane.limit, Math.ceil((startLimit * left) / this.#most[lane.trust]));
  }

  /** Free slots for lanes with this trust. */
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

/** The endpoint timed out, refused, or asked us to slow down. */
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

/**
 * What the endpoint's counters say, until this process has seen an answer. They do not make a test trusted: each test
 * is a lane of its own, and tests of an endpoint that has begun to hang could take every slot.
 */
export function trustIn({ kind }: Delivery, { isFailing, hasSucceeded }: Endpoint): Trust {
  if (isFailing) return 'suspect';
  return hasSucceeded && kind !== 'test' ? 'trusted' : 'unproven';
}
