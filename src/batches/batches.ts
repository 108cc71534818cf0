import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { attempt } from '../db/records/attempt.ts';
import { JustTaken } from '../db/violations.ts';
import { AppError, overloaded } from '../errors.ts';
import { QueueFull } from '../events/queue-room.ts';
import type { BatchNoun, Values } from './batch-nouns.ts';

/** What became of an item: its record's JSON, or what is wrong with it. */
export type Outcome = string | AppError;

/** An item as it was sent, or its schema's objections. */
export type Item = Values | AppError;

/** Few enough to be written in a moment, even leases with a year of charges each. */
const mostTogether = 50;

interface Making {
  noun: BatchNoun;
  caller: Caller;
  now: Date;
  /** Stops after this many have failed. */
  mostFailed?: number;
}

/**
 * Makes records in the order of the items, as if each had come in a request of its own. It writes as many as possible
 * together. If they are refused, it tries fewer, down to the one at fault, for which the verb of a single POST reports
 * what is wrong; then it tries more again. So a mistake costs a few statements, and a list of nothing but mistakes
 * costs hardly more than separate requests would.
 */
export async function makeRecords(tx: Db, making: Making, items: readonly Item[]): Promise<Outcome[]> {
  const { noun, mostFailed = Number.POSITIVE_INFINITY } = making;
  const outcomes: Outcome[] = items.map((item) => (item instanceof AppError ? item : ''));
  const open = items.flatMap((item, index) => (item instanceof AppError ? [] : [{ index, input: item }]));
  let size = mostTogether;
  for (let at = 0, failed = 0; at < open.length && failed < mostFailed; ) {
    const some = open.slice(at, at + size);
    const alone = some.findIndex(({ input }) => noun.goesAlone?.(input));
    // The items before the one that goes alone, or that one by itself.
    if (alone >= 0) some.length = Math.max(1, alone);
    const made = await makeTogether(
      tx,
      making,
      some.map(({ input }) => input),
    );
    if (made instanceof QueueFull) {
      // There is no room for the rest either, and counting for each takes a while.
      for (const { index } of open.slice(at)) outcomes[index] = made;
      break;
    }
    if (made instanceof AppError && some.length > 1) {
      size = some.length >> 2 || 1;
      continue;
    }
    const results = made instanceof AppError ? [made] : made;
    for (const [n, { index }] of some.entries()) outcomes[index] = results[n] ?? '';
    failed += results.filter((result) => result instanceof AppError).length;
    at += some.length;
    if (!(made instanceof AppError)) size = Math.min(mostTogether, size * 2);
  }
  return outcomes;
}

/** Returns all records, or the reason why none was written. */
async function makeTogether(tx: Db, making: Making, inputs: Values[]): Promise<Outcome[] | AppError> {
  const { noun, caller, now } = making;
  const [only = {}] = inputs;
  const make = async (): Promise<Outcome[]> =>
    inputs.length === 1 ? [await noun.add(tx, caller, only, now)] : noun.addAll(tx, caller, inputs, now);
  for (let tries = 3; ; tries--) {
    try {
      return await attempt(tx, make);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      // Somebody else's record has just taken the id. The next try finds and names that record.
      if (!(error instanceof JustTaken) || inputs.length > 1 || tries === 0) return error;
    }
  }
}

/** How many batches of an account may run or wait: enough for a busy program, and few compared with all requests. */
const mostOfAccount = 20;
const batchesOf = new Map<string, number>();

/** Runs the batch, unless too many of the account's batches are already waiting. */
export async function admit<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const count = (change: number): number => {
    const sum = (batchesOf.get(accountId) ?? 0) + change;
    if (sum === 0) batchesOf.delete(accountId);
    else batchesOf.set(accountId, sum);
    return sum;
  };
  try {
    if (count(1) > mostOfAccount) throw overloaded(1);
    return await work();
  } finally {
    count(-1);
  }
}

const underWay = new Map<string, Promise<unknown>>();

/**
 * Runs the steps of an account's batches one after the other. At the same time, they would take connections from the
 * account's other requests, and wait for each other's locks.
 */
export async function inTurn<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
  const before = underWay.get(accountId);
  const { promise: done, resolve } = Promise.withResolvers<void>();
  underWay.set(accountId, done);
  try {
    await before;
    return await work();
  } finally {
    resolve();
    if (underWay.get(accountId) === done) underWay.delete(accountId);
  }
}
