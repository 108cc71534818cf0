import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

interface WritersOptions {
  /** Addresses of the API. A writer whose connection is refused goes on to another one, as a load balancer would. */
  urls: () => string[];
  key: string;
  /** How the names of their records begin, if there are several sets of writers. */
  name?: string;
  random: () => number;
  /** How many callers keep their connections, with a pause between two requests. */
  kept: number;
  pauseMs: number;
  /** How many callers open a new connection for each request, ten times as rarely. */
  fresh?: number;
}

export interface Writers {
  /** The ids of tenants and payments whose creation was answered with 201. */
  readonly acknowledged: Set<string>;
  /** The names of records that were written with an Idempotency-Key and repeated until acknowledged. */
  readonly keyed: Set<string>;
  /** When each was acknowledged, by performance.now(). */
  readonly acknowledgedAt: number[];
  /** Every answer that was not a success, and every connection that broke. Refused connections do not count. */
  readonly failures: string[];
  refused: number;
  reads: number;
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  retryAfter: string;
  body: string;
}

/** Adds a webhook for what the writers write. */
export async function subscribe(url: string, key: string, target: string): Promise<void> {
  const { status } = await fetch(`${url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ url: target, events: ['tenant.created', 'payment.created'] }),
  });
  if (status !== 201) throw new Error(`The webhook was answered with ${status}.`);
}

/** How many payments a writer sends at once. They go to the database together. */
const together = 4;

/** Writes tenants and payments, and reads now and then, until it is stopped. Some writes have an Idempotency-Key. */
export function startWriters(options: WritersOptions): Writers {
  const { urls, random } = options;
  const writers: Writers = {
    acknowledged: new Set(),
    acknowledgedAt: [],
    keyed: new Set(),
    failures: [],
    refused: 0,
    reads: 0,
    stop,
  };
  let running = true;
  const clients = [
    ...Array.from({ length: options.kept }, (_, n) => client(`kept ${n}`, true, options.pauseMs)),
    ...Array.from({ length: options.fresh ?? 0 }, (_, n) =>
      client(`fresh ${n}`, false, options.pauseMs * 10),
    ),
  ];

  async function client(name: string, keepAlive: boolean, pauseMs: number): Promise<void> {
    const agent = new Agent({ keepAlive, maxSockets: together });
    let url = pick();
    let tenantId: string | null = null;
    for (let n = 0; running; n++) {
      const who = `${options.name ?? ''}${name} ${n}`;
      if (n % 4 === 0 || n % 4 === 2) tenantId = (await addTenant(who, n % 4 === 0)) ?? tenantId;
      else if (n % 4 === 1 && tenantId !== null) await addPayments(who, tenantId);
      else await attempt(() => send('GET', '/payments?limit=5'), 200);
      await sleep(pauseMs * (0.5 + random()));
    }
    agent.destroy();

    function addTenant(who: string, isKeyed: boolean): Promise<string | null> {
      return write('/tenants', { first_name: 'T', last_name: who }, who, isKeyed);
    }

    async function addPayments(who: string, tenant_id: string): Promise<void> {
      const names = Array.from({ length: together }, (_, n) => `${who} payment ${n}`);
      await Promise.all(
        names.map((reference, n) =>
          write('/payments', { tenant_id, amount_cents: 100 + n, reference }, reference, n === 0),
        ),
      );
    }

    /** Writes once. Returns the id of what was written, if anything was. */
    async function write(
      path: string,
      fields: object,
      who: string,
      isKeyed: boolean,
    ): Promise<string | null> {
      const body = JSON.stringify(fields);
      const headers: Record<string, string> = isKeyed ? { 'idempotency-key': who.replaceAll(' ', '-') } : {};
      for (;;) {
        const answer = await attempt(() => send('POST', path, body, headers), 201);
        if (answer) {
          const { id } = JSON.parse(answer.body).data;
          writers.acknowledged.add(id);
          writers.acknowledgedAt.push(performance.now());
          if (isKeyed) writers.keyed.add(who);
          return id;
        }
        if (!isKeyed || !running) return null;
        await sleep(50);
      }
    }

    /** Repeats a request while the connection is refused. Any other status than the wanted one is a failure. */
    async function attempt(once: () => Promise<Answer>, wanted: number): Promise<Answer | null> {
      for (;;) {
        try {
          const answer = await once();
          if (wanted === 200) writers.reads++;
          if (answer.status === wanted) return answer;
          writers.failures.push(
            `${answer.status} ${answer.body.slice(0, 200)} retry-after ${answer.retryAfter}`,
          );
          url = pick();
          return null;
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException;
          const was = url;
          url = pick();
          if (code === 'ECONNREFUSED') {
            writers.refused++;
            if (!running) return null;
            await sleep(20);
            continue;
          }
          writers.failures.push(`${code ?? message} at ${was}`);
          return null;
        }
      }
    }

    function send(
      method: string,
      path: string,
      body?: string,
      more: Record<string, string> = {},
    ): Promise<Answer> {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const headers = {
        authorization: `Bearer ${options.key}`,
        ...(body && { 'content-length': String(Buffer.byteLength(body)) }),
        ...more,
      };
      const sent = request(
        `${url}/api/v1${path}`,
        { method, agent, headers, timeout: 40_000 },
        (response) => {
          let text = '';
          // The server asks for a new connection, which may well go to another process.
          if (response.headers.connection === 'close') url = pick();
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response
            .on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                retryAfter: response.headers['retry-after'] ?? 'none',
                body: text,
              }),
            )
            .on('error', reject);
        },
      );
      sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer for 40 s')));
      sent.end(body);
      return promise;
    }
  }

  function pick(): string {
    const all = urls();
    return all[Math.floor(random() * all.length)] ?? '';
  }

  async function stop(): Promise<void> {
    running = false;
    await Promise.all(clients);
  }

  return writers;
}
