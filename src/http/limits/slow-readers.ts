import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Who takes nothing of an answer has the connection for as long as who asks for nothing. Not before there is an answer,
 * which can take long. (What tests inject has no real connection.)
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
