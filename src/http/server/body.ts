import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { compressedBody, overloaded } from '../../errors.ts';
import { whenOver } from './answer-over.ts';

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
export const maxBodyBytes = mebibyte;
/** Of those who have not said yet who they are. */
export const maxStrangersBodyBytes = 16 * kibibyte;

/** Bodies up to this size are as good as free, however many there are. */
const small = 16 * kibibyte;
/** The others may take so much memory in all, and uploads have a share of their own. */
const mostOfBodies = 64 * mebibyte;
const mostOfUploads = 128 * mebibyte;

/**
 * Bodies are JSON whatever the Content-Type says. What is not a JSON object counts as an empty body,
 * which then fails validation with 400 like any other body that lacks its required fields.
 */
export function parseBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.rawBody = body;
    done(null, jsonObject(body));
  });
  // The header plays no part, so a malformed one must not be refused either.
  server.addHook('onRequest', (request, _reply, done) => {
    // Not deleted: an object that has lost a property is slow to read from then on.
    request.headers['content-type'] = undefined;
    done();
  });
  // After the check of who asks, before a byte is read.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    const coding = request.headers['content-encoding'];
    const isPlain = coding === undefined || /^(identity)?$/i.test(coding.trim());
    if (isPlain || request.method === 'GET' || request.method === 'HEAD') done(null, payload);
    else done(compressedBody());
  });
}

/**
 * Bounds the memory for bodies, from before they are read until the answer: many who each send a large one, and take
 * their time, would otherwise add up to more than there is. Who is one too many is told to come back.
 */
export function limitBodies(server: FastifyInstance): void {
  const bodies = { bytes: 0, most: mostOfBodies };
  const uploads = { bytes: 0, most: mostOfUploads };
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { bodyLimit } = request.routeOptions;
    const announced = Number(
      request.headers['content-length'] ?? (isChunked(request.headers) ? bodyLimit : 0),
    );
    // What is announced as larger is refused next, unread.
    if (!(announced > small && announced <= bodyLimit)) return done(null, payload);
    const share = bodyLimit > maxBodyBytes ? uploads : bodies;
    if (share.bytes + announced > share.most) return done(overloaded(1));
    share.bytes += announced;
    whenOver(reply, () => {
      share.bytes -= announced;
    });
    done(null, payload);
  });
}

/** Its length is not told beforehand. */
const isChunked = (headers: IncomingHttpHeaders): boolean => headers['transfer-encoding'] !== undefined;

function jsonObject(body: Buffer): object {
  if (!isUtf8(body)) return {};
  try {
    const text = body.toString('utf8');
    // Some programs begin every text with a byte order mark.
    const value: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    // Also reached by nesting too deep for the parser.
    return {};
  }
}
