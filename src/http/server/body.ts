import { isUtf8 } from 'node:buffer';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badRequest, compressedBody } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many values a JSON body may have, if more than usual. */
    maxValues?: number | undefined;
    /** The route reads the body itself, as it arrives. */
    streamed?: boolean;
  }
}

const kibibyte = 1024;
export const maxBodyBytes = 1024 * kibibyte;
/** For callers we do not know yet. */
export const maxStrangersBodyBytes = 16 * kibibyte;
/**
 * Limits on the values of a JSON body, and on how deeply they are nested. Our largest bodies have a few hundred. A
 * mebibyte of tiny values takes a quarter of a second to parse and check, during which nobody else is served. A body
 * that is nested more deeply counts as empty, as does any other that could not be a record.
 */
const usualValues = 10_000;
const deepest = 100;

/**
 * Bodies are JSON whatever the Content-Type says. Anything but a JSON object counts as an empty body, but its flaw is
 * kept: a route that takes a body answers 400 and says why.
 */
export function parseBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(streamed, (_request, _body, done) => done(null));
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    request.rawBody = body;
    const mostValues = request.routeOptions.config.maxValues ?? usualValues;
    if (takesUploads(request.routeOptions) && isForm(body)) done(null, {});
    else if (body.length <= maxStrangersBodyBytes) done(null, jsonObject(request, body));
    else {
      const { values, depth } = measureJson(body, mostValues);
      if (depth > deepest) {
        request.bodyFlaw = 'invalid_json';
        done(null, {});
      } else if (values > mostValues)
        done(badRequest('too_many_values', `A body may have at most ${mostValues} values.`));
      else done(null, jsonObject(request, body));
    }
  });
}

/** Whether the body may be a form. These are all bodies that may be larger than usual, except lists of records. */
export const takesUploads = ({ bodyLimit = 0, config }: Limits): boolean =>
  bodyLimit > maxBodyBytes && config?.maxValues === undefined;

interface Limits {
  bodyLimit?: number | undefined;
  config?: Pick<FastifyContextConfig, 'maxValues'>;
}

/** A form begins with its boundary. */
const isForm = (body: Buffer): boolean =>
  body.length > maxBodyBytes || body.subarray(0, 2).toString('latin1') === '--';

/** Selects the parser that leaves the body to its route, whatever was sent. */
const streamed = 'application/octet-stream';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts what separates values, outside texts, up to the limits. That takes a hundredth of the time of parsing. */
function measureJson(body: Buffer, mostValues: number): { values: number; depth: number } {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < body.length && values <= mostValues && depth <= deepest; at++) {
    const byte = body[at];
    if (byte === quote) {
      // Goes on to the end of the text. A quote after a backslash is part of it.
      for (at++; at < body.length && body[at] !== quote; at++) if (body[at] === backslash) at++;
    } else if (byte === comma) values++;
    else if (byte === openBracket || byte === openBrace) {
      values++;
      depth++;
    } else if (byte === closeBracket || byte === closeBrace) depth--;
  }
  return { values, depth };
}

export function ignoreContentType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  // Set to undefined instead of deleted: objects become slow to read once a property was deleted.
  request.headers['content-type'] = request.routeOptions.config.streamed ? streamed : undefined;
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

function jsonObject(request: FastifyRequest, body: Buffer): object | undefined {
  // The body is empty.
  if (body.length === 0) return undefined;
  const value = readJson(body);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  request.bodyFlaw = value === undefined ? 'invalid_json' : 'validation_failed';
  return {};
}

/** Undefined means that it was not JSON, which has no undefined. */
function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    const text = body.toString('utf8');
    // Some programs begin every text with a byte order mark.
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}
