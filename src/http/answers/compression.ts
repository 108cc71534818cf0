import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { AppError } from '../../errors.ts';
import { type Encoding, encodings, type Packed, packBytes, packStream } from './encodings.ts';
import { encodedTag } from './entity-tag.ts';
import { vary } from './vary.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answers may contain secrets, which their compressed length would give away (BREACH). */
    uncompressed?: boolean;
    /** Its answers are few and the same for everybody, so they are kept once compressed. */
    constant?: boolean;
  }
}

/** Below this, headers and time cost more than is saved. */
const leastBytes = 1_000;

type Done = (error: Error | null, payload?: unknown) => void;

/** Compresses answers for callers who accept that. The dashboard's files are already compressed on disk (static.ts). */
export function compress(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  const encoding = encodingFor(request, reply, payload);
  if (encoding === null) done(null, payload);
  else if (payload instanceof Readable) {
    label(reply, encoding);
    done(null, packStream(encoding, payload));
  } else {
    const pack = request.routeOptions.config.constant ? packOnce : packBytes;
    pack(encoding, payload as string | Buffer, (error, packed) => {
      if (error === null) label(reply, encoding);
      done(null, error === null ? packed : payload);
    });
  }
}

/**
 * How to compress an answer, if at all. Most answers are small, and these checks are all that compression costs them.
 */
function encodingFor(request: FastifyRequest, reply: FastifyReply, payload: unknown): Encoding | null {
  const isText = texts.test(String(reply.getHeader('content-type')));
  if (isText || reply.statusCode === 304) vary(reply, 'Accept-Encoding');
  const accept = request.headers['accept-encoding'];
  if (accept === undefined || !isText) return null;
  const [best = 'identity', ...others] = accepted(accept);
  if (best === 'identity' || reply.hasHeader('content-encoding')) return null;
  if (!(payload instanceof Readable)) {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return null;
    if (Buffer.byteLength(payload) < leastBytes && others.includes('identity')) return null;
  }
  return request.routeOptions.config.uncompressed ? null : best;
}

/** Tells a caller who accepts none of our encodings, before any work is done. */
export function refuseEncodings(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (refusal?: Error) => void,
) {
  const accept = request.headers['accept-encoding'];
  const none = accept !== undefined && accepted(accept).length === 0;
  done(
    none
      ? new AppError('not_acceptable', `Answers are sent uncompressed, or as ${encodings.join(', ')}.`)
      : undefined,
  );
}

const texts = /^(text\/(?!event-stream)|application\/(json|javascript|manifest\+json|xml)|image\/svg\+xml)/;

function label(reply: FastifyReply, encoding: Encoding): void {
  reply.header('content-encoding', encoding).removeHeader('content-length');
  const tag = reply.getHeader('etag');
  // A weak tag does not promise the same bytes.
  if (typeof tag === 'string' && tag.startsWith('"')) reply.header('etag', encodedTag(tag, encoding));
}

type Accepted = (Encoding | 'identity')[];

/** Programs send one of only a few headers. */
const ranked = new LRUCache<string, Accepted>({ max: 200 });
const longestKept = 200;

/** Our encodings that an Accept-Encoding allows, best first (RFC 9110, section 12.5.3). */
function accepted(header: string): Accepted {
  const known = ranked.get(header);
  if (known !== undefined) return known;
  // An asterisk is taken to mean the encoding that every program knows.
  const ours = encodings.filter((name) => name === 'gzip' || header.toLowerCase().includes(name));
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  // The types lack the second argument.
  const rank: (available: string[], options: { preferred: string[] }) => string[] =
    negotiator.encodings.bind(negotiator);
  const found = rank([...ours, 'identity'], { preferred: [...encodings] }) as Accepted;
  if (header.length <= longestKept) ranked.set(header, found);
  return found;
}

const constants = new LRUCache<string, Map<Encoding, Buffer>>({ max: 100 });

function packOnce(encoding: Encoding, text: string | Buffer, done: Packed): void {
  const packs = constants.get(String(text)) ?? new Map<Encoding, Buffer>();
  const known = packs.get(encoding);
  if (known !== undefined) done(null, known);
  else
    packBytes(encoding, text, (error, packed) => {
      if (error === null) constants.set(String(text), packs.set(encoding, packed));
      done(error, packed);
    });
}
