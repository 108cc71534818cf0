import type { FastifyReply, FastifyRequest } from 'fastify';
import { overloaded } from '../../errors.ts';
import { whenOver } from '../server/answer-over.ts';
import { maxBodyBytes } from '../server/body.ts';

const mebibyte = 1024 * 1024;
/** Bodies up to this size are as good as free, however many there are. */
const small = 16 * 1024;
/** The most memory that all others may take together. Uploads have a share of their own. */
const mostOfBodies = 64 * mebibyte;
const mostOfUploads = 128 * mebibyte;

/**
 * Bounds the memory for bodies, from before they are read until the answer. Many callers who each send a large body
 * slowly would otherwise take more than there is. One caller too many is told to come back.
 */
export class BodyMemory {
  readonly #bodies = { bytes: 0, most: mostOfBodies };
  readonly #uploads = { bytes: 0, most: mostOfUploads };

  readonly reserve = <Payload>(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: Payload,
    done: (refusal: Error | null, payload?: Payload) => void,
  ): void => {
    const { bodyLimit } = request.routeOptions;
    const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
    // A chunked body does not announce its length.
    const announced = Number(length ?? (chunked === undefined ? 0 : bodyLimit));
    // A larger one is refused next, unread.
    if (!(announced > small && announced <= bodyLimit)) return void done(null, payload);
    const share = bodyLimit > maxBodyBytes ? this.#uploads : this.#bodies;
    if (share.bytes + announced > share.most) return void done(overloaded(1));
    share.bytes += announced;
    whenOver(reply, () => {
      share.bytes -= announced;
    });
    done(null, payload);
  };
}
