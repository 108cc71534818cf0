import type { FastifyReply } from 'fastify';

/**
 * Calls back once the answer has been sent or aborted. If that has already happened, it calls back at once: the caller
 * may have hung up during authentication, and whatever was counted for the answer must be given back then too.
 */
export function whenOver({ raw }: FastifyReply, then: () => void): void {
  if (raw.destroyed || raw.closed) then();
  else raw.once('close', then);
}
