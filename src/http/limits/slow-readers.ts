import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A caller who does not read an answer cannot keep the connection longer than one who asks for nothing. The time counts
 * only from the answer on, which can itself take long. (Requests that tests inject have no real connection.)
 */
export function leaveSlowReaders(
  request: FastifyRequest,
  _reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  request.raw.socket.setTimeout?.(request.server.server.keepAliveTimeout);
  done();
}
