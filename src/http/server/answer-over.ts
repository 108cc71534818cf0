import type { FastifyReply } from 'fastify';

/**
 * Calls back once the answer is over, one way or the other: at once where that was so before, because the caller left while we
 * were finding out who it was. What is counted for an answer must be given back then too.
 */
export function whenOver({ raw }: FastifyReply, then: () => void): void {
  if (raw.destroyed || raw.closed) then();
  else raw.once('close', then);
}
