import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The number of connections that are open now. */
  open(): number;
  /** Passes everything on, beginning with what was held back. */
  pass(): void;
  /** Passes everything on after this delay, in both directions. */
  delay(ms: number): void;
  /** Accepts and keeps connections, but passes nothing on, like a machine that hangs or a cable that was cut. */
  stall(): void;
  /** Now and then breaks a connection that is transferring something. */
  drop(chance: number, random: () => number): void;
  close(): Promise<void>;
}

/** Where a server listens: in a folder or at an address. */
export const addressOf = ({ host, port = 5432 }: { host: string; port?: number }) =>
  host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };

type Fate = { delayMs: number } | 'stall' | { chance: number; random: () => number };

/** Stands between a program and its database, and disturbs their connections. */
export async function startProxy(target: NetConnectOpts): Promise<TcpProxy> {
  let fate: Fate = { delayMs: 0 };
  const pairs = new Set<Pair>();
  const server = createServer((near) => {
    const far = connect({ host: '127.0.0.1', ...target });
    const pair = join(near, far, () => fate);
    pairs.add(pair);
    near.once('close', () => near.destroyed && far.destroyed && pairs.delete(pair));
    far.once('close', () => near.destroyed && far.destroyed && pairs.delete(pair));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const change = (next: Fate) => {
    fate = next;
    for (const pair of pairs) pair.flush();
  };
  return {
    port: (server.address() as AddressInfo).port,
    open: () => pairs.size,
    pass: () => change({ delayMs: 0 }),
    delay: (delayMs) => change({ delayMs }),
    stall: () => change('stall'),
    drop: (chance, random) => change({ chance, random }),
    async close() {
      server.close();
      for (const pair of pairs) pair.destroy();
      await once(server, 'close');
    },
  };
}

interface Pair {
  flush(): void;
  destroy(): void;
}

function join(near: Socket, far: Socket, fate: () => Fate): Pair {
  const destroy = () => {
    near.destroy();
    far.destroy();
  };
  const ways = [oneWay(near, far, fate, destroy), oneWay(far, near, fate, destroy)];
  return {
    destroy,
    flush() {
      if (fate() !== 'stall' && (near.destroyed || far.destroyed)) destroy();
      for (const flush of ways) flush();
    },
  };
}

/** Keeps the order, whatever happens: what is held back also holds back what comes after it. */
function oneWay(from: Socket, to: Socket, fate: () => Fate, destroy: () => void): () => void {
  const held: { chunk: Buffer; at: number }[] = [];
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    const now = fate();
    if (now === 'stall') return;
    const delayMs = 'delayMs' in now ? now.delayMs : 0;
    for (let next = held[0]; next !== undefined; next = held[0]) {
      const waitMs = next.at + delayMs - performance.now();
      if (waitMs > 0) {
        timer = setTimeout(flush, waitMs);
        return;
      }
      held.shift();
      if (to.writable) to.write(next.chunk);
    }
  };
  from.on('data', (chunk) => {
    const now = fate();
    if (now !== 'stall' && 'chance' in now && now.random() < now.chance) return destroy();
    held.push({ chunk, at: performance.now() });
    flush();
  });
  from.on('error', destroy);
  from.on('close', () => {
    // A machine that hangs does not close its connections, either.
    if (fate() !== 'stall') destroy();
  });
  return flush;
}
