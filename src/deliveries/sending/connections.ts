import { type buildConnector, Client } from 'undici';

// Idle connections are kept for 4 s, or for as long as the receiver's Keep-Alive header says, up to this limit. They
// are renewed now and then, so that we follow a receiver that moves to a new address.
const MAX_IDLE_MS = 60_000;
const MAX_REQUESTS_PER_CONNECTION = 1_000;

/**
 * Keep-alive connections by origin, each an undici Client with one request at a time. There are as many as requests in
 * flight. Many customers' endpoints share an origin (hooks.zapier.com), and with a limit per origin a slow endpoint
 * would hold up the others. The worker limits what is in flight.
 *
 * undici's Agent was measured and rejected for two reasons. Its pool treats a connection as free only one turn of the
 * event loop after the answer, so sending at once opens twice as many. And after a request is aborted, it reconnects
 * for nothing; here the whole client is dropped.
 */
export class Connections {
  readonly #dial: buildConnector.connector;
  /** The origins that have connections. */
  readonly #origins = new Map<string, Origin>();

  constructor(dial: buildConnector.connector) {
    this.#dial = dial;
  }

  /** The connection used last, which the receiver is least likely to have closed, or a new one. */
  take(origin: string): Client {
    return this.#origins.get(origin)?.idle.pop() ?? this.#open(origin);
  }

  /** Call it after a complete answer. */
  giveBack(origin: string, client: Client): void {
    this.#origins.get(origin)?.idle.push(client);
  }

  /** Call it after anything else. */
  drop(origin: string, client: Client): void {
    const open = this.#origins.get(origin)?.open;
    open?.delete(client);
    if (open?.size === 0) this.#origins.delete(origin);
    client.destroy(null, ignore);
  }

  async destroy(): Promise<void> {
    const clients = Array.from(this.#origins.values(), ({ open }) => [...open]).flat();
    this.#origins.clear();
    await Promise.all(clients.map((client) => client.destroy()));
  }

  #open(name: string): Client {
    const client = new Client(name, {
      connect: this.#dial,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxRequestsPerClient: MAX_REQUESTS_PER_CONNECTION,
      // Every attempt has one timer of its own for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    let origin = this.#origins.get(name);
    if (origin === undefined) {
      origin = { open: new Set(), idle: [] };
      this.#origins.set(name, origin);
    }
    origin.open.add(client);
    return client.on('disconnect', () => this.#forgetIfIdle(name, client));
  }

  /** A client in use reconnects by itself. */
  #forgetIfIdle(origin: string, client: Client): void {
    const idle = this.#origins.get(origin)?.idle;
    const index = idle?.indexOf(client) ?? -1;
    if (index === -1) return;
    idle?.splice(index, 1);
    this.drop(origin, client);
  }
}

interface Origin {
  readonly open: Set<Client>;
  /** The clients without a request, the one used last at the end. */
  readonly idle: Client[];
}

function ignore(): void {}
