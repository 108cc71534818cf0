import { type buildConnector, Client } from 'undici';

// Idle connections are kept for 4 s, or as long as the receiver's Keep-Alive header says up to
// this, and are renewed now and then so that a receiver that moved is followed to its new address.
const MAX_IDLE_MS = 60_000;
const MAX_REQUESTS_PER_CONNECTION = 1_000;

/**
 * Keep-alive connections by origin, each an undici Client with one request at a time. There are as
 * many as requests in flight: many customers' endpoints share an origin (hooks.zapier.com), and with
 * a limit a slow one would hold up the others. The worker limits what is in flight.
 *
 * Not undici's Agent, for two reasons found by measuring. Its pool sees a connection as free only one
 * turn of the event loop after the answer, so that sending at once opens twice as many. And breaking off
 * a request makes it connect again, for nothing; here the whole client goes.
 */
export class Connections {
  readonly #dial: buildConnector.connector;
  readonly #all = new Set<Client>();
  readonly #idle = new Map<string, Client[]>();

  constructor(dial: buildConnector.connector) {
    this.#dial = dial;
  }

  /** The one used last, since the receiver is least likely to have closed it; or a new one. */
  take(origin: string): Client {
    const idle = this.#idle.get(origin);
    const client = idle?.pop();
    if (client === undefined) return this.#open(origin);
    // An origin that is never heard from again must not stay in the map.
    if (idle?.length === 0) this.#idle.delete(origin);
    return client;
  }

  /** After a complete answer. */
  giveBack(origin: string, client: Client): void {
    const idle = this.#idle.get(origin);
    if (idle === undefined) this.#idle.set(origin, [client]);
    else idle.push(client);
  }

  /** After anything else. */
  drop(client: Client): void {
    this.#all.delete(client);
    client.destroy(null, ignore);
  }

  async destroy(): Promise<void> {
    this.#idle.clear();
    await Promise.all(Array.from(this.#all, (client) => client.destroy()));
  }

  #open(origin: string): Client {
    const client = new Client(origin, {
      connect: this.#dial,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      maxRequestsPerClient: MAX_REQUESTS_PER_CONNECTION,
      // Every attempt has one timer of its own for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#all.add(client);
    return client.on('disconnect', () => this.#forgetIfIdle(origin, client));
  }

  /** A client that has been taken again meanwhile connects anew by itself. */
  #forgetIfIdle(origin: string, client: Client): void {
    const idle = this.#idle.get(origin);
    const index = idle?.indexOf(client) ?? -1;
    if (idle === undefined || index === -1) return;
    idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(origin);
    this.drop(client);
  }
}

function ignore(): void {}
