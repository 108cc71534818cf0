import type { FastifyReply } from 'fastify';

/** Says that the answer depends on this header of the request too, beside those named before. */
export function vary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary');
  if (named === undefined) reply.header('vary', name);
  else if (!String(named).toLowerCase().split(/, */).includes(name.toLowerCase()))
    reply.header('vary', `${named}, ${name}`);
}
