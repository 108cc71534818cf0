import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { compressedBody } from '../errors.ts';

export const maxBodyBytes = 1024 * 1024;

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

function jsonObject(body: Buffer): object {
  if (!isUtf8(body)) return {};
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    // Also reached by nesting too deep for the parser.
    return {};
  }
}
