import type { FastifyReply } from 'fastify';

/**
 * Calls back once the answer is over, one way or the other. At once if it already is: the caller may have hung up
 * while we were finding out who it was, and what is counted for an answer must be given back then too.
 */
export function whenOver({ raw }: FastifyReply, then: () => void): void {
  if (raw.destroyed || raw.closed) then();
  else raw.once('close', then);
}
