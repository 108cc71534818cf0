import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Finds out who asks, and refuses whom this route is not for. Routes without it are for everybody. */
    identify?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

export async function identifyCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.routeOptions.config.identify?.(request, reply);
}
