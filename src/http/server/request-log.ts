import type { FastifyReply, FastifyRequest } from 'fastify';
import { shownActor } from '../../caller.ts';
import { formatId } from '../../ids.ts';
import type { Log } from '../../log.ts';

/** One line for each request, except for those refused in a flood, which load.ts counts. */
export const logRequest =
  (log: Log) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { caller } = request;
    if (!request.wasRefused)
      log.info(
        {
          request_id: request.id,
          method: request.method,
          route: request.routeOptions.url ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...(caller && { account: formatId('acct', caller.accountId), actor: shownActor(caller.actor).id }),
        },
        'request',
      );
    done();
  };
