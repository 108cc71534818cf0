import type { FastifyInstance } from 'fastify';
import type { App } from '../../app.ts';
import { compress, refuseEncodings } from '../answers/compression.ts';
import { answerPreflight } from '../answers/cors.ts';
import { identifyCaller } from '../auth/identify.ts';
import { BodyMemory } from '../limits/body-memory.ts';
import { dropForwardedPorts } from '../limits/forwarded-ports.ts';
import { Load } from '../limits/load.ts';
import { leaveSlowReaders } from '../limits/slow-readers.ts';
import { answerHeaders } from './answer-headers.ts';
import { ignoreContentType, refuseCompressedBody } from './body.ts';
import type { Drain } from './drain.ts';
import { logRequest } from './request-log.ts';
import { refuseUnknownRoute } from './unknown-routes.ts';
import { warnOfUntrustedProxy } from './untrusted-proxy.ts';

/** Everything that happens to a request around its route, in this order. */
export function addHooks(server: FastifyInstance, app: App, drain: Drain): void {
  const load = new Load(app);
  const bodies = new BodyMemory();

  // Every answer carries its id and the security headers, refusals included, so these come first.
  server.addHook('onRequest', answerHeaders(app.config));
  // A browser's preflight request is answered here and needs nothing below.
  server.addHook('onRequest', answerPreflight(app.config));
  // A proxy without TRUST_PROXY is reported to the operator once.
  server.addHook('onRequest', warnOfUntrustedProxy(app));
  // From here on the caller's address has no port, even if the proxy added one.
  server.addHook('onRequest', dropForwardedPorts(app));
  // An unknown route ends here: 404 and 405 come before 401.
  server.addHook('onRequest', refuseUnknownRoute);
  // From here on the request counts towards the load limit. A flood is refused before it reaches the database.
  server.addHook('onRequest', load.enter);
  // Bodies are JSON whatever the header says, so a malformed header must not be refused.
  server.addHook('onRequest', ignoreContentType);
  // 401, 403 and 429 come before the body is read, so that an unknown caller cannot make us parse anything.
  server.addHook('onRequest', identifyCaller);
  // A caller who accepts no encoding that we can send gets a 406 before any work is done.
  server.addHook('onRequest', refuseEncodings);

  // We do not inflate bodies, because a few bytes could become any number of them.
  server.addHook('preParsing', refuseCompressedBody);
  // Many large bodies at once would add up to more memory than there is.
  server.addHook('preParsing', bodies.reserve);
  // While its body arrives, the request does not count towards the limit, so a slow sender holds up nobody.
  server.addHook('preParsing', load.pause);
  server.addHook('preValidation', load.resume);

  // Compression counts towards the account's share of the load.
  server.addHook('onSend', compress);
  // The answer is ready, so it no longer counts towards the limit: a slow receiver holds up nobody either.
  server.addHook('onSend', load.leave);
  // While the process is stopping, each answer closes its connection.
  server.addHook('onSend', drain.endConnection);
  server.addHook('onSend', drain.holdAnswer);
  // A caller who does not read the answer cannot keep the connection for ever.
  server.addHook('onSend', leaveSlowReaders);

  // One line for each request.
  server.addHook('onResponse', logRequest(app.log));
}
