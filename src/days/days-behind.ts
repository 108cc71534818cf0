import { Gauge } from 'prom-client';
import type { App } from '../app.ts';
import { metricsOf } from '../system/metrics.ts';
import { findBehind } from './days.store.ts';

export { findBehind };

const name = 'tenure_accounts_behind';

/** Adds the gauge of accounts whose day has begun but is not done. It is left out while the database is away. */
export function measureDays(app: App): void {
  const { registry } = metricsOf(app);
  if (registry.getSingleMetric(name) !== undefined) return;
  const behind: Gauge = new Gauge({
    name,
    help: 'Accounts whose day has begun and is not done yet.',
    registers: [registry],
    async collect() {
      behind.remove();
      const found = await findBehind(app.db, app.now()).catch(() => null);
      if (found !== null) behind.set(found.accounts);
    },
  });
}
