import type { Kind } from './costs.ts';

/*
 * What docs/scale.md assumes and nobody has measured. Change it to what you know of your users and your prices, and
 * run `node bench/scale/simulate.ts`: the page and its picture are written again.
 */

/** Of one unit in a month, by people, tenants and programs together. */
export const requestsPerMonth: Record<Kind, number> = {
  read: 50,
  list: 30,
  owed: 4,
  poll: 86,
  create: 3,
  change: 3,
};

export const workload = {
  unitsPerAccount: 100,
  /** Charges that the clock posts for a unit in a month. Each is told when it is posted, and again when it is due. */
  chargesPerMonth: 1,
  eventsPerCharge: 2,
  /** Endpoints that want to hear of an event. */
  endpointsPerEvent: 1.5,
  /** Of all requests but polls, which come evenly: so much falls on the busiest day, and so much of that on its hour. */
  busiestDay: 1 / 14,
  busiestHour: 0.15,
  /** Of new payments: most come on the first days of a month. */
  busiestDayOfPayments: 0.25,
  /** All accounts are in one time zone: their days begin at once. Within so long, rent is posted and told. */
  midnightMinutes: 30,
  yearsKept: 7,
  daysOfEvents: 30,
};

export const limits = {
  /** Of a core, in the busiest hour: above that, waiting grows faster than the load. */
  busy: 0.6,
  /** What of a second half of a machine's cores is of use: they share locks, memory and disk. */
  doubling: 0.85,
  /** Connections that one PostgreSQL serves well, without a pooler. */
  connections: 500,
  poolSize: 10,
  /** Bytes a second that its disk takes of the log. */
  walPerSecond: 100e6,
  /** Bytes of memory for each core, and what of the data should fit into it: the last months, and indexes. */
  memoryPerCore: 4 * 2 ** 30,
  hot: 0.1,
  /** Bytes on one server. More would take more than a day to restore. */
  disk: 8e12,
};

/** Euros a month. No price list: orders of magnitude, to be replaced by yours. */
export const prices = {
  /** One virtual core with 4 GiB of memory. */
  core: 25,
  /** A gigabyte of fast disk. */
  gigabyte: 0.12,
  /** PostgreSQL, and each node, has a standby that is as big. */
  copies: 2,
};
