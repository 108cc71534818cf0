import type { App } from '../../app.ts';
import { endsWithin, hours } from '../../clock.ts';
import { formatId, idTime } from '../../ids.ts';
import { Line } from '../../line.ts';
import { metricsOf } from '../../system/metrics.ts';
import { logAttempt } from '../sending/attempt-log.ts';
import type { Outcome } from '../sending/outcome.ts';
import type { Sender } from '../sending/send.ts';
import type { Settlement } from '../sending/settlement.ts';
import {
  beforeEvent,
  cancelled,
  released,
  settlementOf,
  usedUp,
  withoutEvent,
} from '../sending/settlement-for-outcome.ts';
import { signedRequest, unreadableSecret } from '../sending/signed-request.ts';
import { type Claimed, type ClaimedRow, claimMost, type EndpointRow, laneOf } from './claim.ts';
import { leaseMs } from './claim-leases.ts';
import { EndpointReader, trustIn } from './endpoint-reader.ts';
import { HeldClaims } from './held-claims.ts';
import type { Claim, Job } from './job.ts';
import { type Lane, Lanes, slowMs, startLimit } from './lanes.ts';
import { type Result, Settler } from './settler.ts';

/** A claim is sent within this long or given back: what was read with it must not grow old. */
const freshMs = 1_000;
const forgetLanesAfterMs = 60_000;
/** Claimed and not yet settled, for each that may be in flight. */
const mostHeldPerSlot = 6;

interface Hooks {
  /** There may be room for another claim. */
  onRoom: () => void;
  /** A delivery is to be tried again after this long. */
  onWait: (waitMs: number) => void;
}

export interface Batch extends Claimed {
  claimId: string;
  claimedAt: number;
  /** As the claim was told. */
  rooms: Record<string, number>;
  /** Whether it went past every lane. */
  wholeRound: boolean;
}

/** Everything this process holds, from the claim through the attempt until its result is written down. */
export class Dispatch {
  readonly #app: App;
  readonly #sender: Sender;
  readonly #hooks: Hooks;
  readonly #lanes: Lanes;
  readonly #settler: Settler;
  readonly #endpoints: EndpointReader;
  readonly #held: HeldClaims;
  readonly #leastRoom: number;
  /** The oldest first. */
  readonly #inFlight = new Line<Job>();
  /** Lanes with deliveries to send, the one whose turn it is first. */
  readonly #waiting = new Line<Lane>();
  /** Some lane waits for a slot that others have. */
  #starved = false;
  #stopping = false;
  #whenIdle: (() => void) | undefined;

  constructor(app: App, sender: Sender, hooks: Hooks) {
    const { WEBHOOK_CONCURRENCY: concurrency, WEBHOOK_CONCURRENCY_PER_ENDPOINT: perEndpoint } = app.config;
    this.#app = app;
    this.#sender = sender;
    this.#hooks = hooks;
    this.#lanes = new Lanes({ concurrency, perEndpoint }, (lane) => this.#settler.isAside(lane));
    this.#settler = new Settler(app, (batch) => this.#settled(batch));
    this.#endpoints = new EndpointReader(app);
    const mostHeld = concurrency * mostHeldPerSlot;
    this.#held = new HeldClaims(app, mostHeld);
    this.#leastRoom = Math.min(claimMost, mostHeld) / 2;
  }

  /** How many more may be claimed. */
  get room(): number {
    return this.#held.room(this.#settler.asideCount);
  }

  /** A small claim costs almost as much as a large one: with that many in hand, it can wait for more room. */
  get hasRoom(): boolean {
    return this.room >= this.#leastRoom;
  }

  /** Whether a claim could bring what is held already: our own leases have run out, the database was away. */
  get isUnsure(): boolean {
    return this.#held.isUnsure;
  }

  /** How many more each lane has room for, where it is not the usual number. */
  rooms(): Record<string, number> {
    return this.#lanes.rooms();
  }

  isHungry(): boolean {
    return this.#lanes.isAnyHungry();
  }

  /** Sends what can be sent now. From here on the leases are kept. */
  receive(batch: Batch): void {
    const lanes = new Set<Lane>();
    for (const row of batch.rows) {
      const { claimId, claimedAt } = batch;
      const claim = {
        row,
        claimId,
        claimedAt,
        leasedUntil: claimedAt + leaseMs,
        held: null,
        isSettling: false,
      };
      const next = this.#stopping ? released(claim) : this.#prepare(claim, batch.endpoints);
      if (!('lane' in next)) {
        this.#held.add(claim);
        this.#settler.add(claim, next);
        continue;
      }
      this.#held.add(next);
      next.lane.waiting.push(next);
      next.lane.turn ??= this.#waiting.add(next.lane);
      lanes.add(next.lane);
    }
    this.#noteMore(batch);
    this.#fillAll();
    // Nothing is claimed ahead for an endpoint that may never answer: its turn comes when there is a slot.
    for (const lane of lanes) if (lane.trust !== 'trusted') this.#giveBack(lane);
  }

  /** What has been waiting for something gets on; what waits too long is given back. Called now and then. */
  sweep(): void {
    const now = performance.now();
    for (const job of this.#inFlight) {
      if (now - job.startedAt <= slowMs) break;
      this.#lanes.suspect(job.lane);
    }
    for (const lane of this.#waiting) {
      const [first] = lane.waiting;
      if (first !== undefined && now - first.claimedAt > freshMs) this.#giveBack(lane);
    }
    this.#lanes.forgetIdle(now - forgetLanesAfterMs);
    metricsOf(this.#app).inFlight.set(this.#lanes.inFlight);
    void this.#held.renew(now);
    this.#fillAll();
    this.#hooks.onRoom();
  }

  /** Gives back what was not sent, waits for what was, and writes everything down. */
  async stop(graceMs: number, drainMs: number): Promise<void> {
    this.#stopping = true;
    for (const lane of this.#waiting) this.#giveBack(lane);
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      if (this.#inFlight.size === 0) resolve();
    });
    await this.#sender.close(graceMs);
    await endsWithin(drainMs, idle);
    await this.#settler.drain(drainMs);
  }

  /** A job to send, or what else becomes of the claim. */
  #prepare(claim: Claim, endpoints: Map<string, EndpointRow>): Job | Settlement {
    const { row, claimId, claimedAt, leasedUntil } = claim;
    const endpoint = endpoints.get(row.endpoint_id);
    if (endpoint === undefined || (endpoint.disabled && row.kind !== 'test')) {
      this.#settler.cancelAll(row.account_id, row.endpoint_id);
      return cancelled(claim);
    }
    if (row.exhausted) return usedUp(claim);
    if (row.body === null) {
      const isNew = this.#app.now().getTime() - idTime(row.event_id).getTime() < hours(1);
      return isNew ? beforeEvent(claim) : withoutEvent(claim);
    }
    return {
      row,
      claimId,
      claimedAt,
      leasedUntil,
      held: null,
      isSettling: false,
      lane: this.#laneOf(row, endpoint),
      body: Buffer.from(row.body),
      publicId: formatId('dlv', row.id),
      startedAt: 0,
      startedOn: epoch,
      sentTo: '',
      signature: '',
      inFlight: null,
    };
  }

  #laneOf(claimed: ClaimedRow, row: EndpointRow): Lane {
    const id = laneOf(claimed);
    const lane = this.#lanes.get(id);
    const endpoint = this.#endpoints.read(row, lane?.endpoint);
    if (lane === undefined) return this.#lanes.open(id, endpoint, trustIn(claimed, row), performance.now());
    lane.endpoint = endpoint;
    return lane;
  }

  /** Which lanes the database may have more for than was taken. */
  #noteMore({ rows, rooms, wholeRound }: Batch): void {
    const taken = new Map<string, number>();
    let cutShort: string | undefined;
    for (const row of rows) {
      const lane = laneOf(row);
      taken.set(lane, (taken.get(lane) ?? 0) + 1);
      if (!wholeRound) cutShort = lane;
    }
    for (const lane of this.#lanes.all()) {
      const room = rooms[lane.id] ?? startLimit;
      const got = taken.get(lane.id) ?? 0;
      if (room === 0) continue;
      if (got >= room || lane.id === cutShort) lane.more = true;
      else if (got > 0 || wholeRound) lane.more = false;
    }
  }

  #fillAll(): void {
    this.#starved = false;
    for (const lane of this.#waiting) {
      if (this.#lanes.areFull) {
        this.#starved = true;
        return;
      }
      const sent = this.#fill(lane);
      // Who was served goes to the back, so that a scarce slot goes to another lane next time.
      if (sent && lane.waiting.length > 0) {
        this.#leave(lane);
        lane.turn = this.#waiting.add(lane);
      }
    }
  }

  /** Sends as much of one lane as it may; tells whether that was anything. */
  #fill(lane: Lane): boolean {
    let sent = false;
    while (lane.waiting.length > 0 && this.#lanes.maySend(lane)) {
      const job = lane.waiting.shift();
      if (job !== undefined) this.#send(job);
      sent = true;
    }
    if (lane.waiting.length === 0) this.#leave(lane);
    else if (lane.inFlight < lane.limit) this.#starved = true;
    return sent;
  }

  #send(job: Job): void {
    const now = performance.now();
    const { disabled, secrets } = job.lane.endpoint;
    if (disabled && job.row.kind !== 'test') this.#settler.add(job, cancelled(job));
    // If the process was held up so long that the lease ran out, another worker may be sending it by now.
    else if (now >= job.leasedUntil) this.#settler.add(job, released(job));
    else {
      job.startedAt = now;
      job.startedOn = this.#app.now();
      job.sentTo = job.lane.endpoint.url;
      this.#lanes.started(job.lane, now);
      job.inFlight = this.#inFlight.add(job);
      if (secrets === null) this.#ended(job, unreadableSecret);
      else void this.#sender.send(signedRequest(job, secrets)).then((outcome) => this.#ended(job, outcome));
    }
  }

  #ended(job: Job, outcome: Outcome): void {
    const { lane, row } = job;
    const wasTrusted = lane.trust === 'trusted';
    if (job.inFlight !== null) this.#inFlight.remove(job.inFlight);
    job.inFlight = null;
    this.#lanes.ended(lane, outcome.kind, outcome.durationMs);
    const now = this.#app.now();
    const settlement = settlementOf(job, outcome, {
      delaysMs: this.#app.config.WEBHOOK_RETRY_DELAYS_MS,
      now,
      random: Math.random,
    });
    this.#settler.add(job, settlement);
    logAttempt(this.#app, job, outcome, settlement, now);
    if (row.kind === 'test') this.#lanes.forget(lane);
    this.#fill(lane);
    if (this.#starved) this.#fillAll();
    if (this.#lanes.isHungry(lane) || !wasTrusted) this.#hooks.onRoom();
    if (this.#inFlight.size === 0) this.#whenIdle?.();
  }

  #settled(batch: Result[]): void {
    for (const { claim, settlement } of batch) {
      this.#held.delete(claim);
      if (settlement.wait_ms !== null) this.#hooks.onWait(settlement.wait_ms);
    }
    this.#hooks.onRoom();
  }

  #leave(lane: Lane): void {
    if (lane.turn !== null) this.#waiting.remove(lane.turn);
    lane.turn = null;
  }

  #giveBack(lane: Lane): void {
    this.#leave(lane);
    if (lane.waiting.length === 0) return;
    for (const job of lane.waiting) this.#settler.add(job, released(job));
    lane.waiting.length = 0;
    lane.more = true;
  }
}

const epoch = new Date(0);
