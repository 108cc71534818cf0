import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { compressedBody } from '../../errors.ts';

const kibibyte = 1024;
export const maxBodyBytes = 1024 * kibibyte;
/** For callers we do not know yet. */
export const maxStrangersBodyBytes = 16 * kibibyte;

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
}

export function ignoreContentType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  // Not deleted: an object that has lost a property is slow to read from then on.
  request.headers['content-type'] = undefined;
  done();
}

export function refuseCompressedBody<Payload>(
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: Payload,
  done: (refusal: Error | null, payload?: Payload) => void,
): void {
  const coding = request.headers['content-encoding'];
  const isPlain = coding === undefined || /^(identity)?$/i.test(coding.trim());
  if (isPlain || request.method === 'GET' || request.method === 'HEAD') done(null, payload);
  else done(compressedBody());
}

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
