import type { App } from '../app.ts';
import { lookEveryMs } from '../db/distributed/look-for-work.ts';
import { createChores } from '../system/chores.ts';
import { finishErasures } from './finish-erasures.ts';

/** Continues unfinished erasures of tenants, in every worker. */
export const createErasureFinisher = (app: App) =>
  createChores(app.log, [
    {
      everyMs: () => lookEveryMs(app.db),
      failure: 'unfinished erasures could not be looked for',
      work: () => finishErasures(app.db, app.secrets, app.log, app.now()),
    },
  ]);
