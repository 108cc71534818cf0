import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

/** A server on this machine that answers as it is told, and keeps what it was sent. */
export async function startReceiver(answer = () => ({})) {
  const received = [];
  const waiting = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    received.push({ method, path: url, headers, body });
    for (const check of waiting) check();
    const { status = 200, headers: given = {}, content = '{}' } = answer({ method, path: url, body });
    response.writeHead(status, { 'content-type': 'application/json', ...given }).end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received,
    /** Resolves with the first request that fits, past or to come. */
    request: (fits) =>
      new Promise((resolve) => {
        const check = () => {
          const found = received.find(fits);
          if (found) resolve(found);
        };
        waiting.push(check);
        check();
      }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
