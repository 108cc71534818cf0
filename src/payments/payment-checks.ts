import type { App } from '../app.ts';
import { createChores } from '../system/chores.ts';
import { checkPayments } from './payment-leases.ts';

const everyMs = 1_000;

/** Looks at the payments of leases that changed a while ago, in every worker. */
export const createPaymentChecker = (app: App) =>
  createChores(app.log, [
    {
      everyMs,
      failure: 'payments could not be checked',
      work: () => checkPayments(app.db, app.now()),
    },
  ]);
