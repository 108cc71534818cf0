import type { App } from '../../src/app.ts';
import { createWorker, type Worker, type WorkerOptions } from '../../src/deliveries/engine/worker.ts';
import { createSender } from '../../src/deliveries/sending/send.ts';
import { until } from './process.ts';
import { queueEvents } from './queue.ts';
import { make } from './records.ts';
import { type Client, type Service, testService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
type Json = any;

export interface Delivering {
  service: Service;
  client: Client;
  /** Another worker on the same database, as a process of its own would have. */
  addWorker(options?: Partial<WorkerOptions>): Worker;
  /** Adds an endpoint to the account, and returns it with its secret. */
  subscribe(url: string, events?: string[]): Promise<Json>;
  /** The delivery of the first event, as soon as it is there. */
  deliveryTo(webhookId: string, query?: string): Promise<Json>;
  /** A delivery with its attempts, as soon as it has finished. */
  finished(id: string): Promise<Json>;
  webhook(id: string): Promise<Json>;
  /** Queues this many deliveries for each of these endpoints at once, without waking anyone. */
  enqueue(count: number, webhookIds: string[]): Promise<void>;
  close(): Promise<void>;
}

/** The service with workers that may send to this machine. Retries come quickly. */
export async function testDelivering(
  settings: Record<string, string> = {},
  { workers = 1 } = {},
): Promise<Delivering> {
  const service = await testService({
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    WEBHOOK_RETRY_DELAYS_MS: '10,10,10,10',
    WEBHOOK_TIMEOUT_MS: '1000',
    RATE_LIMIT_PER_SECOND: '0',
    ...settings,
  });
  const client = await service.client();
  const running: Worker[] = [];
  const addWorker = (options: Partial<WorkerOptions> = {}): Worker => {
    const worker = startWorker(service.app, options);
    running.push(worker);
    service.app.workers.join(worker);
    return worker;
  };
  for (let i = 0; i < workers; i++) addWorker();

  const get = async (path: string) => (await client.get(path)).body.data;
  return {
    service,
    client,
    addWorker,
    subscribe: (url, events = ['tenant.created']) => make.webhook(client, { url, events }),
    async deliveryTo(webhookId, query = '') {
      let found: Json;
      await until(async () => {
        [found] = await get(`/webhooks/${webhookId}/deliveries?limit=1${query}`);
        return found !== undefined;
      });
      return found;
    },
    async finished(id) {
      let delivery: Json;
      await until(async () => {
        delivery = await get(`/deliveries/${id}`);
        return delivery.status !== 'pending';
      });
      return delivery;
    },
    webhook: (id) => get(`/webhooks/${id}`),
    enqueue: (count, webhookIds) =>
      queueEvents(
        service.app.db,
        client.accountId,
        count,
        webhookIds.map((id) => id.replace('we_', '')),
      ),
    async close() {
      await Promise.all(running.map((worker) => worker.stop()));
      await service.close();
    },
  };
}

function startWorker(app: App, options: Partial<WorkerOptions>): Worker {
  const { config } = app;
  const sender = createSender({
    rules: { allowHttp: config.WEBHOOK_ALLOW_HTTP, allowedTargets: config.WEBHOOK_ALLOWED_TARGETS },
    timeoutMs: config.WEBHOOK_TIMEOUT_MS,
    connectTimeoutMs: Math.min(5_000, config.WEBHOOK_TIMEOUT_MS),
    userAgent: 'Tenure/test',
  });
  const worker = createWorker({ app, sender, graceMs: 200, ...options });
  worker.start();
  return worker;
}
