import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Identifies the caller and refuses those who may not use this route. Routes without it are open to everybody. */
    identify?: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  }
}

export async function identifyCaller(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await request.routeOptions.config.identify?.(request, reply);
}
