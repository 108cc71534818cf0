import type { App } from '../../app.ts';
import { endsWithin, hours } from '../../clock.ts';
import { formatId, idTime } from '../../ids.ts';
import { metricsOf } from '../../system/metrics.ts';
import type { Outcome } from '../sending/outcome.ts';
import type { Sender } from '../sending/send.ts';
import { signedRequest, unreadableSecret } from '../sending/signed-request.ts';
import { claimMost } from './across-accounts.store.ts';
import { logAttempt } from './attempt-log.ts';
import { ClaimLeases } from './claim-leases.ts';
import { type Delivery, type Endpoint, isUnderWay, laneIdOf, type Settlement } from './delivery.ts';
import { type Lane, Lanes, slowMs, startLimit, trustIn } from './lanes.ts';
import {
  beforeEvent,
  cancelled,
  released,
  settlementForOutcome,
  usedUp,
  withoutEvent,
} from './settlement-for-outcome.ts';
import { Settler } from './settler.ts';

/** A claimed delivery is sent within this time or given back, because the data read with it gets stale. */
const freshMs = 1_000;
const forgetLanesAfterMs = 60_000;
/**
 * How many deliveries may be held for each that may be in flight: those claimed ahead, and those whose results are
 * being written. With fewer, senders would wait for claims while the database is busy writing results.
 */
const mostHeldPerSlot = 12;

interface Callbacks {
  /** Called when there may be room for another claim. */
  onRoom: () => void;
  /** Called when a delivery is to be tried again after this long. */
  onRetry: (waitMs: number) => void;
}

/** The result of one claim. */
interface Batch {
  deliveries: Delivery[];
  /** The endpoints by id. One that has been deleted is missing. */
  endpoints: Map<string, Endpoint>;
  /** The rooms that the claim was given. */
  rooms: Record<string, number>;
  /** Whether the claim looked at all lanes. */
  wholeRound: boolean;
}

/** Takes claimed deliveries through prepare, send and settle. If their lane is busy, they wait before they are sent. */
export class Dispatch {
  readonly #app: App;
  readonly #sender: Sender;
  readonly #callbacks: Callbacks;
  readonly #settler: Settler;
  readonly #lanes: Lanes;
  readonly #leases: ClaimLeases;
  readonly #leastRoom: number;
  /** Lanes with deliveries to send, the next one first. */
  readonly #waiting = new Set<Lane>();
  /** Whether a lane is waiting for a slot that another one has. */
  #starved = false;
  #stopping = false;
  #whenIdle: (() => void) | undefined;

  constructor(app: App, sender: Sender, callbacks: Callbacks) {
    const { WEBHOOK_CONCURRENCY: concurrency, WEBHOOK_CONCURRENCY_PER_ENDPOINT: perEndpoint } = app.config;
    this.#app = app;
    this.#sender = sender;
    this.#callbacks = callbacks;
    this.#settler = new Settler(app, (batch) => this.#settled(batch));
    this.#lanes = new Lanes({ concurrency, perEndpoint }, this.#settler.aside);
    const mostHeld = concurrency * mostHeldPerSlot;
    this.#leases = new ClaimLeases(app, mostHeld);
    this.#leastRoom = Math.min(claimMost, mostHeld) / 2;
  }

  /** How many more may be claimed. */
  get room(): number {
    return this.#leases.room(this.#settler.asideCount);
  }

  /** A small claim costs almost as much as a large one, so it waits until there is room for a large one. */
  get hasRoom(): boolean {
    return this.room >= this.#leastRoom;
  }

  /** Whether a claim could return what we already hold, because our leases ran out while the database was away. */
  get isUnsure(): boolean {
    return this.#leases.isUnsure;
  }

  /** How many more each lane has room for, unless it is the usual number. */
  rooms(): Record<string, number> {
    return this.#lanes.rooms();
  }

  isHungry(): boolean {
    return this.#lanes.isAnyHungry();
  }

  /** Takes over what was claimed, and sends as much of it as it may. */
  receive(batch: Batch): void {
    const lanes = new Set<Lane>();
    for (const delivery of batch.deliveries) {
      this.#leases.add(delivery);
      const lane = this.#prepare(delivery, batch.endpoints.get(delivery.endpointId));
      if (lane === null) continue;
      lane.waiting.push(delivery);
      this.#waiting.add(lane);
      lanes.add(lane);
    }
    this.#noteMore(batch);
    this.#fillAll();
    // Nothing is held for an endpoint that may never answer. It gets its turn when there is a slot.
    for (const lane of lanes) if (lane.trust !== 'trusted') this.#giveBack(lane);
  }

  /** Called a few times a second: notices slow lanes, gives back deliveries that wait too long, renews leases. */
  tick(): void {
    const now = performance.now();
    for (const delivery of this.#leases.all()) {
      const isSlow = isUnderWay(delivery) && now - delivery.startedAt > slowMs;
      const lane = isSlow ? this.#lanes.get(laneIdOf(delivery)) : undefined;
      if (lane !== undefined) this.#lanes.suspect(lane);
    }
    for (const lane of this.#waiting) {
      const [first] = lane.waiting;
      if (first !== undefined && now - first.claimedAt > freshMs) this.#giveBack(lane);
    }
    this.#lanes.forgetIdle(now - forgetLanesAfterMs);
    metricsOf(this.#app).inFlight.set(this.#lanes.inFlight);
    void this.#leases.renew(now);
    this.#fillAll();
    this.#callbacks.onRoom();
  }

  /** Gives back what has not been sent, waits for what has, and settles everything. */
  async stop(graceMs: number, drainMs: number): Promise<void> {
    this.#stopping = true;
    for (const lane of this.#waiting) this.#giveBack(lane);
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
      if (this.#lanes.inFlight === 0) resolve();
    });
    await this.#sender.close(graceMs);
    await endsWithin(drainMs, idle);
    await this.#settler.drain(drainMs);
  }

  /** Returns the lane to wait in. Null if there is nothing to send; the delivery is then settled at once. */
  #prepare(delivery: Delivery, endpoint: Endpoint | undefined): Lane | null {
    const unsent = this.#whyNotSend(delivery, endpoint);
    if (unsent !== null) this.#settle(delivery, unsent);
    if (unsent !== null || endpoint === undefined) return null;
    const id = laneIdOf(delivery);
    const lane = this.#lanes.get(id);
    if (lane === undefined)
      return this.#lanes.open(id, endpoint, trustIn(delivery, endpoint), performance.now());
    lane.endpoint = endpoint;
    return lane;
  }

  #whyNotSend(delivery: Delivery, endpoint: Endpoint | undefined): Settlement | null {
    if (this.#stopping) return released(delivery);
    if (endpoint === undefined || (endpoint.disabled && delivery.kind !== 'test')) {
      this.#settler.cancelAll(delivery.accountId, delivery.endpointId);
      return cancelled(delivery);
    }
    if (delivery.exhausted) return usedUp;
    if (delivery.body !== null) return null;
    const isNew = this.#app.now().getTime() - idTime(delivery.eventId).getTime() < hours(1);
    return isNew ? beforeEvent : withoutEvent(delivery);
  }

  /** Notes which lanes may have more in the database than was taken. */
  #noteMore({ deliveries, rooms, wholeRound }: Batch): void {
    const taken = new Map<string, number>();
    let cutShort: string | undefined;
    for (const delivery of deliveries) {
      const lane = laneIdOf(delivery);
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
      // A lane that was served goes to the back, so that the next free slot goes to another lane.
      if (sent && lane.waiting.length > 0) {
        this.#waiting.delete(lane);
        this.#waiting.add(lane);
      }
    }
  }

  /** Sends as much from one lane as it may. Returns whether anything was sent. */
  #fill(lane: Lane): boolean {
    let sent = false;
    while (lane.waiting.length > 0 && this.#lanes.maySend(lane)) {
      const delivery = lane.waiting.shift();
      if (delivery !== undefined) this.#deliver(delivery, lane);
      sent = true;
    }
    if (lane.waiting.length === 0) this.#waiting.delete(lane);
    else if (lane.inFlight < lane.limit) this.#starved = true;
    return sent;
  }

  /** Makes one attempt, which takes a slot of the lane. */
  #deliver(delivery: Delivery, lane: Lane): void {
    const now = performance.now();
    if (lane.endpoint.disabled && delivery.kind !== 'test') this.#settle(delivery, cancelled(delivery));
    // If the process stood still until the lease ran out, another worker may be sending it by now.
    else if (now >= delivery.leasedUntil) this.#settle(delivery, released(delivery));
    else {
      delivery.startedAt = now;
      this.#lanes.started(lane, now);
      void this.#send(delivery, lane.endpoint).then((outcome) => this.#ended(delivery, lane, outcome));
    }
  }

  #send(delivery: Delivery, { url, keys }: Endpoint): Promise<Outcome> {
    const { event, body } = delivery;
    const at = this.#app.now();
    const deliveryId = formatId('dlv', delivery.id);
    const eventId = formatId('evt', delivery.eventId);
    delivery.startedOn = at;
    delivery.sentTo = url;
    delivery.publicId = deliveryId;
    delivery.publicEventId = eventId;
    if (keys === null || body === null) return Promise.resolve(unreadableSecret);
    const { request, signature } = signedRequest({ url, event, deliveryId, eventId, body, keys, at });
    delivery.signature = signature;
    return this.#sender.send(request);
  }

  #ended(delivery: Delivery, lane: Lane, outcome: Outcome): void {
    delivery.outcome = outcome;
    const endedOn = this.#app.now();
    const settlement = settlementForOutcome(delivery, outcome, {
      delaysMs: this.#app.config.WEBHOOK_RETRY_DELAYS_MS,
      now: endedOn,
      random: Math.random,
    });
    this.#settle(delivery, settlement);
    logAttempt(this.#app, delivery, lane.endpoint, outcome, settlement, endedOn);
    this.#freeSlot(delivery, lane, outcome);
  }

  /** The attempt is over, so others may use its slot. */
  #freeSlot({ kind }: Delivery, lane: Lane, outcome: Outcome): void {
    const wasTrusted = lane.trust === 'trusted';
    this.#lanes.ended(lane, outcome.kind, outcome.durationMs);
    if (kind === 'test') this.#lanes.forget(lane);
    this.#fill(lane);
    if (this.#starved) this.#fillAll();
    if (this.#lanes.isHungry(lane) || !wasTrusted) this.#callbacks.onRoom();
    if (this.#lanes.inFlight === 0) this.#whenIdle?.();
  }

  #settle(delivery: Delivery, settlement: Settlement): void {
    delivery.settlement = settlement;
    this.#settler.settle(delivery);
  }

  #settled(batch: Delivery[]): void {
    for (const delivery of batch) {
      this.#leases.delete(delivery);
      const waitMs = delivery.settlement?.waitMs ?? null;
      if (waitMs !== null) this.#callbacks.onRetry(waitMs);
    }
    this.#callbacks.onRoom();
  }

  #giveBack(lane: Lane): void {
    this.#waiting.delete(lane);
    if (lane.waiting.length === 0) return;
    for (const delivery of lane.waiting) this.#settle(delivery, released(delivery));
    lane.waiting.length = 0;
    lane.more = true;
  }
}
