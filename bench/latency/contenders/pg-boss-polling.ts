/*
 * pg-boss as it is without further settings: a look every two seconds. Up to 500 jobs at a time, since by its default of one
 * it would fall behind.
 */
import { serveBoss } from '../pg-boss.ts';

serveBoss({ notify: false, localConcurrency: 1, batchSize: 500 });
