import { Gauge } from 'prom-client';
import type { App } from '../../app.ts';
import { sized } from '../../db/plan-by-table-size.ts';
import { sql } from '../../db/sql.ts';
import { metricsOf } from '../../system/metrics.ts';

const depthName = 'tenure_delivery_queue_depth';

/** Adds the gauges about the queue. They are read when asked for, and left out while the database is away. */
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
      const state = await readQueue(app);
      if (state !== null) depth.set(state.depth);
    },
  });
  const oldest: Gauge = new Gauge({
    name: 'tenure_delivery_oldest_due_seconds',
    help: 'How long the oldest delivery that nobody is sending has been due; 0 when there is none.',
    registers,
    async collect() {
      oldest.remove();
      const state = await readQueue(app);
      if (state !== null) oldest.set(state.oldestDueSeconds);
    },
  });
}

interface QueueState {
  depth: number;
  oldestDueSeconds: number;
}

const underWay = new WeakMap<App, Promise<QueueState | null>>();

/** Both gauges share one look. */
function readQueue(app: App): Promise<QueueState | null> {
  let look = underWay.get(app);
  if (look === undefined) {
    look = lookAtQueue(app)
      .catch(() => null)
      .finally(() => underWay.delete(app));
    underWay.set(app, look);
  }
  return look;
}

async function lookAtQueue(app: App): Promise<QueueState | null> {
  const [row] = await sized<QueueState>(
    app.db,
    sql`
    select count(*)::float8 as depth,
      coalesce(extract(epoch from now() - min(next_at) filter (
        where next_at <= now() and (lease_until is null or lease_until < now())))::float8, 0) as "oldestDueSeconds"
    from delivery_queue`,
  );
  return row ?? null;
}
