import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds out who is asking and refuses callers this route is not for. Routes without it are open to everybody. */
    identify?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

export async function identifyCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.routeOptions.config.identify?.(request, reply);
}
