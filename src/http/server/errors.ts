import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isStorageFull, isUnavailable } from '../../db/database-errors.ts';
import {
  AppError,
  badRequest,
  type ErrorType,
  errorBody,
  errorTypes,
  notFound,
  payloadTooLarge,
  storageFull,
  unavailable,
} from '../../errors.ts';
import type { Log } from '../../log.ts';
import { Outages } from './outage.ts';

export type ErrorReply = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** The one place where an error becomes a response. */
export function repliesToErrors(log: Log): ErrorReply {
  const outages = new Outages(log);
  return (error, request, reply) => {
    // A caller who hung up in the middle of a body is not our fault, though the error has the same code as a lost
    // database.
    const known =
      error === request.raw.errored ? badRequest('bad_request', 'Bad request') : toAppError(error);
    if (known === null) log.error({ err: error, request_id: request.id }, 'request failed');
    // A deliberate refusal appears in the request's own log line.
    else if (known.status >= 500 && known !== error)
      outages.tell(isStorageFull(error) ? 'disk full' : 'database unavailable', error);
    reply
      .code(known?.status ?? 500)
      .headers(known?.headers ?? {})
      .header('content-type', 'application/json; charset=utf-8')
      .send(errorBody(known, request.id));
  };
}

/** What the caller may learn about an error. Null means a fault of ours, of which nothing may leak. */
export function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  if (isUnavailable(error)) return unavailable();
  if (isStorageFull(error)) return storageFull();
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge();
  // A path that cannot be decoded does not exist.
  if (code === 'FST_ERR_BAD_URL') return notFound();
  // Whatever else Fastify itself refuses, such as a body shorter than announced.
  if (statusCode === 400) return badRequest('bad_request', 'Bad request');
  if (statusCode !== undefined && statusCode > 400 && statusCode < 500) {
    const type = typeOfStatus[statusCode] ?? 'bad_request';
    return new AppError(type, STATUS_CODES[errorTypes[type].status] ?? 'Bad request');
  }
  return null;
}

/** Refusals that come from libraries. */
const typeOfStatus: Partial<Record<number, ErrorType>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'request_timeout',
  413: 'payload_too_large',
  429: 'rate_limited',
  431: 'headers_too_large',
};

/** Node's code for a request that did not arrive in time. */
export const requestTimeoutCode = 'ERR_HTTP_REQUEST_TIMEOUT';

const typeOfParserError: Partial<Record<string, ErrorType>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  [requestTimeoutCode]: 'request_timeout',
};

const lingerMs = 2_000;

/**
 * A request that is not valid HTTP never reaches a handler, so it is answered on the bare socket, in the same
 * envelope.
 */
export function replyToBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  // A response may be under way on this connection (pipelining): writing now would corrupt it.
  const busy = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
  if (error.code === 'ECONNRESET' || !socket.writable || busy?.headersSent) {
    socket.destroy();
    return;
  }
  const type = typeOfParserError[error.code ?? ''] ?? 'bad_request';
  const { status } = errorTypes[type];
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const body = errorBody(new AppError(type, status === 400 ? 'Bad request' : reason), requestId);
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      'X-Content-Type-Options: nosniff\r\n' +
      `X-Request-Id: ${requestId}\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Until then incoming data is still read, because the answer would be lost otherwise. A caller who never hangs up is
  // cut off.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
