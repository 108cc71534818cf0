import type { Machine } from '../lib/machine.ts';
import type { Sizes } from './accounts.ts';

/** The kinds of request. */
export const kinds = {
  read: 'a record',
  list: 'a page of 100 payments',
  owed: 'who owes what, a page of 100',
  poll: 'the feed of events',
  create: 'a new payment',
  change: 'a change of a tenant',
} as const;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

export const totalOf = (rates: Partial<Record<Kind, number>>): number =>
  Object.values(rates).reduce((sum, rate) => sum + rate, 0);

/** One of the kinds, chosen in proportion to its rate. */
export function pickKind(rates: Partial<Record<Kind, number>>, random: number): Kind {
  let left = random * totalOf(rates);
  for (const kind of kindNames) {
    left -= rates[kind] ?? 0;
    if (left < 0) return kind;
  }
  throw new Error('Nothing is asked for.');
}

/** The cost of one piece of work: microseconds of processor time, by who spends it, and bytes of the log. */
export interface Cost {
  api: number;
  worker: number;
  postgres: number;
  /** The nodes of a cluster together; `postgres` is then the coordinator. */
  nodes: number;
  /** Clients and receivers, which share the machine here and nowhere else. */
  outside: number;
  wal: number;
}

/** The measurements from which docs/scale.md is calculated. */
export interface Costs {
  measuredAt: string;
  machine: Machine;
  postgres: string;
  sizes: Sizes;
  requests: Record<Kind, Cost>;
  /** Milliseconds of the median answer that no processor explains: the disk, the network, waking up. */
  waitsMs: Record<Kind, number>;
  /** A delivery out of a long queue, and one that goes out by itself right after its payment. */
  deliveries: Record<'queued' | 'single', Cost>;
  /** A charge posted by the clock with its event, and a day of an account that brings nothing. */
  days: Record<'charge' | 'empty', Cost>;
  /** An idle second of an API process, a worker and PostgreSQL. */
  idle: Cost;
  /** Bytes of a row with its share of all indexes, if there are enough of them to know. */
  rows: Record<string, number>;
}

export const each = (total: Cost, count: number): Cost => mapCost(total, (value) => value / count);

const mapCost = (cost: Cost, change: (value: number, name: keyof Cost) => number): Cost =>
  Object.fromEntries(
    Object.entries(cost).map(([name, value]) => [name, change(value, name as keyof Cost)]),
  ) as unknown as Cost;

export const minus = (a: Cost, b: Cost): Cost => mapCost(a, (value, name) => Math.max(0, value - b[name]));
