/*
 * pg-boss with LISTEN/NOTIFY, its quickest setting: a worker is woken by the commit. Two local workers, so that one can fetch
 * while the other sends; polling stays behind as a backstop.
 */
import { serveBoss } from '../pg-boss.ts';

serveBoss({ notify: true, localConcurrency: 2, batchSize: 10, pollingIntervalSeconds: 0.5 });
