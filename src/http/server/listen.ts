import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Connections that the kernel keeps until we come to them; with Node's 511 a rush of callers is dropped unheard. */
const backlog = 4_096;
/** Beside the server's own. */
const moreDoors = 15;

/**
 * Listens on one port with several sockets, where the system can. Node accepts one connection of each in a turn of its event
 * loop, and turns are long when there is much to do: at a single door thousands wait then, first come, first served, and
 * whoever comes when the rush is over waits behind those who have given up. Returns the further doors: they are the server's,
 * but closed by whoever stops it (drain.ts), and each waits for the connections that came through it.
 */
export async function listen(
  server: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<Server[]> {
  // Sockets that share a port would also share it with those of another process of ours.
  await tryOut({ port, host });
  const reusePort = await tryOut({ port: 0, host, reusePort: true }).then(
    () => true,
    () => false,
  );
  const options = { port, host, backlog, reusePort };
  await server.listen(options);
  if (!reusePort) return [];
  const bound = server.server.address() as AddressInfo;
  return Promise.all(Array.from({ length: moreDoors }, () => openDoor(server, bound)));
}

async function tryOut(options: ListenOptions): Promise<void> {
  const tried = createServer().listen(options);
  await once(tried, 'listening');
  tried.close();
  await once(tried, 'close');
}

async function openDoor(server: FastifyInstance, { port, address }: AddressInfo): Promise<Server> {
  // As node:http sets up its own.
  const door = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.server.emit('connection', socket),
  );
  door.listen({ port, host: address, backlog, reusePort: true });
  await once(door, 'listening');
  return door;
}
