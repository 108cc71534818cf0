import type { FastifyReply, FastifyRequest } from 'fastify';
import { overloaded } from '../../errors.ts';
import { whenOver } from '../server/answer-over.ts';
import { takesUploads } from '../server/body.ts';
import { rateLimitAddress } from './rate-limit-address.ts';

const mebibyte = 1024 * 1024;
/** Bodies up to this size do not matter, however many there are. */
const small = 16 * 1024;

/** Memory for bodies: the limit for all together, for one account, and for one address. */
interface Share {
  readonly most: { all: number; account: number; address: number };
  readonly taken: Map<string, number>;
}

/**
 * Bounds the memory for bodies, from before they are read until the answer. Otherwise many callers who each send a
 * large body slowly would take more memory than there is. One caller too many is told to come back.
 *
 * An account, or an address with many accounts, may use a part of it, so that slow senders keep nobody else from
 * sending. For uploads, an account may use as much as the largest one takes. Behind a proxy that is not trusted, all
 * callers have one address, so that part is large.
 */
export class BodyMemory {
  readonly #bodies: Share = {
    most: { all: 64 * mebibyte, account: 16 * mebibyte, address: 48 * mebibyte },
    taken: new Map(),
  };
  readonly #uploads: Share = {
    most: { all: 128 * mebibyte, account: 50 * mebibyte, address: 100 * mebibyte },
    taken: new Map(),
  };

  readonly reserve = <Payload>(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Payload,
    done: (refusal: Error | null, payload?: Payload) => void,
  ): void => {
    const { bodyLimit, config } = request.routeOptions;
    if (config.streamed) return void done(null, payload);
    const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
    // A chunked body does not announce its length.
    const announced = Number(length ?? (chunked === undefined ? 0 : bodyLimit));
    // A larger body is refused in the next step, unread.
    if (!(announced > small && announced <= bodyLimit)) return void done(null, payload);
    const { most, taken } = takesUploads(request.routeOptions) ? this.#uploads : this.#bodies;
    const parts = [
      { name: 'all', most: most.all },
      { name: `address ${rateLimitAddress(request.ip)}`, most: most.address },
      ...(request.caller ? [{ name: `account ${request.caller.accountId}`, most: most.account }] : []),
    ];
    if (parts.some((part) => (taken.get(part.name) ?? 0) + announced > part.most))
      return void done(overloaded(1));
    for (const { name } of parts) add(taken, name, announced);
    whenOver(reply, () => {
      for (const { name } of parts) add(taken, name, -announced);
    });
    done(null, payload);
  };
}

/** Entries that are back to zero are removed. */
function add(taken: Map<string, number>, name: string, bytes: number): void {
  const sum = (taken.get(name) ?? 0) + bytes;
  if (sum === 0) taken.delete(name);
  else taken.set(name, sum);
}
