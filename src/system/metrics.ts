import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../app.ts';
import { explainListening } from './listening.ts';

interface Metrics {
  registry: Registry;
  /** Counts an attempt by its outcome. */
  countAttempt(outcome: string): void;
  claimSeconds: Histogram;
  claimed: Counter;
  settleSeconds: Histogram;
  settled: Counter;
  inFlight: Gauge;
}

const registries = new WeakMap<App, Metrics>();

/** The metrics of one process. */
export function metricsOf(app: App): Metrics {
  let metrics = registries.get(app);
  if (metrics === undefined) {
    metrics = createMetrics();
    registries.set(app, metrics);
  }
  return metrics;
}

function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const buckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5];
  return {
    registry,
    countAttempt: countBy('outcome', {
      name: 'tenure_delivery_attempts_total',
      help: 'Delivery attempts by outcome.',
      registers,
    }),
    claimSeconds: new Histogram({
      name: 'tenure_delivery_claim_seconds',
      help: 'Time of one claim of due deliveries.',
      buckets,
      registers,
    }),
    claimed: new Counter({
      name: 'tenure_deliveries_claimed_total',
      help: 'Deliveries claimed.',
      registers,
    }),
    settleSeconds: new Histogram({
      name: 'tenure_delivery_settle_seconds',
      help: 'Time to write one batch of results.',
      buckets,
      registers,
    }),
    settled: new Counter({
      name: 'tenure_deliveries_settled_total',
      help: 'Claims whose result was written.',
      registers,
    }),
    inFlight: new Gauge({
      name: 'tenure_deliveries_in_flight',
      help: 'Delivery attempts under way in this process.',
      registers,
    }),
  };
}

/**
 * A counter with one label. Counts are handed over when somebody asks: one by one, each would take a microsecond or
 * two.
 */
function countBy(label: string, config: { name: string; help: string; registers: Registry[] }) {
  const since = new Map<string, number>();
  new Counter({
    ...config,
    labelNames: [label],
    collect() {
      for (const [value, count] of since) this.labels(value).inc(count);
      since.clear();
    },
  });
  return (value: string): void => {
    since.set(value, (since.get(value) ?? 0) + 1);
  };
}

/** Serves the metrics for Prometheus on a port of their own. Returns a function that stops it. */
export async function serveMetrics(app: App, port: number, host: string): Promise<() => Promise<void>> {
  const { registry } = metricsOf(app);
  collectDefaultMetrics({ register: registry });
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    try {
      const text = await registry.metrics();
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (error) {
      app.log.error({ err: error }, 'metrics could not be collected');
      response.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening').catch((error) => {
    throw explainListening(error, 'METRICS_PORT', { port, host });
  });
  app.log.info({ port: (server.address() as AddressInfo).port }, 'metrics');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}
