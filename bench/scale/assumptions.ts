import type { Kind } from './costs.ts';

/*
 * What docs/scale.md assumes and nobody has measured. Change it to what you know about your users and prices, and run
 * `node bench/scale/simulate.ts`, which writes the page and its picture again.
 */

/** For one unit in a month, by people, tenants and programs together. */
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
  /**
   * Charges that the clock posts for a unit in a month. Each has an event when it is posted, and another when it is
   * due.
   */
  chargesPerMonth: 1,
  eventsPerCharge: 2,
  /** Endpoints that receive an event. */
  endpointsPerEvent: 1.5,
  /**
   * The part of all requests, except evenly spread polls, that falls on the busiest day, and of that on its busiest
   * hour.
   */
  busiestDay: 1 / 14,
  busiestHour: 0.15,
  /** For new payments, most of which come on the first days of a month. */
  busiestDayOfPayments: 0.25,
  /**
   * All accounts are in one time zone, so their days begin at once. Rent is posted, and its events sent, within this
   * time.
   */
  midnightMinutes: 30,
  yearsKept: 7,
  daysOfEvents: 30,
};

export const limits = {
  /** The use of a core in the busiest hour. Above that, waiting grows faster than the load. */
  busy: 0.6,
  /** How useful the second half of a machine's cores is: they share locks, memory and disk. */
  doubling: 0.85,
  /** Connections that one PostgreSQL serves well, without a pooler. */
  connections: 500,
  poolSize: 10,
  /** Bytes of the log that its disk writes in a second. */
  walPerSecond: 100e6,
  /** Bytes of memory for each core, and the part of the data that should fit into it: the last months, and indexes. */
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
