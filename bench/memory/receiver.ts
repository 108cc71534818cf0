import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../lib/child.ts';

/** Takes every delivery and counts it, in a process of its own. */
let received = 0;

serve({
  async listen() {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        received += 1;
        response.end();
      });
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },
  count: () => received,
});
