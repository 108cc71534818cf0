import { Gauge } from 'prom-client';
import type { App } from '../../app.ts';
import { metricsOf } from '../../system/metrics.ts';
import { type QueueState, readQueue } from './queue.store.ts';

const depthName = 'tenure_delivery_queue_depth';

/** Adds the gauges of the queue. They are read on request, and left out while the database is away. */
export function measureQueue(app: App): void {
  const { registry } = metricsOf(app);
  if (registry.getSingleMetric(depthName) !== undefined) return;
  const registers = [registry];
  const depth: Gauge = new Gauge({
    name: depthName,
    help: 'Unfinished deliveries in the database, of all processes.',
    registers,
    async collect() {
      depth.remove();
      const state = await lookOnce(app);
      if (state !== null) depth.set(state.depth);
    },
  });
  const oldest: Gauge = new Gauge({
    name: 'tenure_delivery_oldest_due_seconds',
    help: 'How long the oldest delivery that nobody is sending has been due; 0 when there is none.',
    registers,
    async collect() {
      oldest.remove();
      const state = await lookOnce(app);
      if (state !== null) oldest.set(state.oldestDueSeconds);
    },
  });
}

const underWay = new WeakMap<App, Promise<QueueState | null>>();

/** Both gauges share one query. */
function lookOnce(app: App): Promise<QueueState | null> {
  let look = underWay.get(app);
  if (look === undefined) {
    look = readQueue(app.db)
      .catch(() => null)
      .finally(() => underWay.delete(app));
    underWay.set(app, look);
  }
  return look;
}
