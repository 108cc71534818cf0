import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { App } from '../../app.ts';
import { overloaded } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { metricsOf } from '../../system/metrics.ts';
import { whenOver } from '../server/answer-over.ts';
import { routedPath } from '../server/routed-path.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The counter that the request belongs to while it runs. */
    share: Share | null;
    isCounted: boolean;
    /** The account it counts for, once it is known. */
    countedFor: string | null;
    wasRefused: boolean;
  }
}

/** A group of requests with a limit of its own. */
interface Share {
  readonly pattern: RegExp;
  underWay: number;
  /** How many of them each account has. */
  readonly accounts: Map<string, number>;
}

const retryAfterSeconds = 1;
const tellEveryMs = 1_000;
/** This many refusals a second cost next to nothing. */
const fewRefusals = 100;
/** As many callers as one process should ever have. The limit is for callers who send many requests at once. */
const mostRefusalsHeld = 10_000;

type Done = (refusal?: Error) => void;

/**
 * Two fixed limits keep a flood from growing in here. At most REQUEST_CONCURRENCY requests are worked on (most of them
 * are waiting for one of the connections to the database), and at most `mostRefusalsHeld` wait for their refusal. The
 * rest are refused at once.
 *
 * If there are many refusals, each waits for a second. Refusing costs time too, and callers who ask again at once would
 * keep the process busy with nothing else.
 *
 * The dashboard has a share of its own, so that a flood of API requests does not shut people out. Its files, /healthz
 * and the like need no database and are always served.
 *
 * No account may use all of it: a fifth is left for the others, whatever the requests wait for.
 */
export class Load {
  readonly #most: number;
  readonly #mostOfAccount: number;
  readonly #shares: readonly Share[] = [
    { pattern: /^\/(api|mcp)\b/, underWay: 0, accounts: new Map() },
    { pattern: /^\/internal\b/, underWay: 0, accounts: new Map() },
  ];
  readonly #refusals: Refusals;
  #held = 0;

  constructor(app: App) {
    this.#most = app.config.REQUEST_CONCURRENCY;
    this.#mostOfAccount = this.#most - Math.floor(this.#most / 5);
    const underWay = () => this.#shares.reduce((sum, share) => sum + share.underWay, 0);
    const registers = [metricsOf(app).registry];
    this.#refusals = new Refusals(app.log, underWay, registers);
    new Gauge({
      name: 'tenure_requests_under_way',
      help: 'Requests that this process is working on.',
      registers,
      collect() {
        this.set(underWay());
      },
    });
  }

  readonly enter = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    request.share = this.#shareOf(request);
    // If a caller hangs up, Fastify may send no answer, and then never calls leave().
    if (request.share !== null) whenOver(reply, () => uncount(request));
    this.#count(request, done);
  };

  /** While its body arrives, the request does not run. */
  readonly pause = <Payload>(
    request: FastifyRequest,
    _reply: FastifyReply,
    payload: Payload,
    done: (refusal: Error | null, payload: Payload) => void,
  ): void => {
    uncount(request);
    done(null, payload);
  };

  /** The body of an upload has not arrived yet. Uploads have a limit of their own (files/uploads.ts). */
  readonly resume = (request: FastifyRequest, _reply: FastifyReply, done: Done): void =>
    request.routeOptions.config.streamed ? done() : this.#count(request, done);

  readonly leave = (request: FastifyRequest, _reply: FastifyReply, _payload: unknown, done: Done): void => {
    uncount(request);
    done();
  };

  #count(request: FastifyRequest, done: Done): void {
    const { share } = request;
    if (share === null) return void done();
    if (share.underWay >= this.#most) return void this.#refuse(request, done);
    // The account is known by the time the body has been read.
    const account = request.caller?.accountId ?? null;
    const own = account === null ? 0 : (share.accounts.get(account) ?? 0);
    if (own >= this.#mostOfAccount) return void this.#refuse(request, done);
    if (account !== null) share.accounts.set(account, own + 1);
    share.underWay++;
    request.isCounted = true;
    request.countedFor = account;
    done();
  }

  #shareOf(request: FastifyRequest): Share | null {
    const path = routedPath(request);
    return this.#shares.find(({ pattern }) => pattern.test(path)) ?? null;
  }

  #refuse(request: FastifyRequest, done: Done): void {
    request.wasRefused = true;
    const refusal = overloaded(retryAfterSeconds);
    if (this.#refusals.count() <= fewRefusals || this.#held === mostRefusalsHeld) return void done(refusal);
    this.#held++;
    setTimeout(() => {
      this.#held--;
      done(refusal);
    }, retryAfterSeconds * 1_000);
  }
}

function uncount(request: FastifyRequest): void {
  const { share, isCounted, countedFor } = request;
  if (!isCounted || share === null) return;
  request.isCounted = false;
  share.underWay--;
  if (countedFor === null) return;
  const left = (share.accounts.get(countedFor) ?? 1) - 1;
  if (left === 0) share.accounts.delete(countedFor);
  else share.accounts.set(countedFor, left);
}

/**
 * Counts refusals. There is one log line per second for all of them, because one for each would only add to the load.
 */
class Refusals {
  readonly #log: Log;
  readonly #underWay: () => number;
  readonly #total: Counter;
  #ofThisSecond = 0;

  constructor(log: Log, underWay: () => number, registers: Registry[]) {
    this.#log = log;
    this.#underWay = underWay;
    this.#total = new Counter({
      name: 'tenure_requests_refused_total',
      help: 'Requests refused because too many were under way.',
      registers,
    });
  }

  /** Counts one more and returns how many there were within a second. */
  count(): number {
    if (this.#ofThisSecond === 0) setTimeout(() => this.#tell(), tellEveryMs).unref();
    this.#total.inc();
    return ++this.#ofThisSecond;
  }

  #tell(): void {
    this.#log.warn(
      { refused: this.#ofThisSecond, underWay: this.#underWay() },
      'overloaded: requests were refused',
    );
    this.#ofThisSecond = 0;
  }
}
