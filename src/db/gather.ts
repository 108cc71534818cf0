import pg from 'pg';
import { AppError, unavailable } from '../errors.ts';
import type { Db } from './connect.ts';

/** Writes some in one statement: for each, in their order, its result, or what is wrong with it alone. Throws where none was written. */
type Write<Item, Result> = (db: Db, accountId: string, items: Item[]) => Promise<(Result | AppError)[]>;

interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Line<Item, Result> {
  db: Db;
  accountId: string;
  underWay: number;
  isStarting: boolean;
  waiting: Waiting<Item, Result>[];
}

/** How many statements of a line are under way at once: Postgres works on one while we answer and gather for the other. */
const mostUnderWay = 2;
const mostTogether = 100;
/** Longest wait for a place in a statement; for a place in the pool it is the same. */
const patienceMs = 5_000;

/**
 * Writes of an account that come at the same moment go to Postgres together: in one statement, a row takes it a third of what
 * a statement of its own takes (docs/decisions/0013). One that comes alone goes at once, and those in a transaction do.
 *
 * What one of them has wrong may make all of its statement fail, and the halves are tried again. So only an account's own writes go
 * together: nobody waits for the mistakes of strangers.
 */
export class Gatherer<Item, Result> {
  readonly #write: Write<Item, Result>;
  readonly #lines = new WeakMap<Db, Map<string, Line<Item, Result>>>();

  constructor(write: Write<Item, Result>) {
    this.#write = write;
  }

  /** The result of this one. */
  add(db: Db, accountId: string, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting = { item, since: performance.now(), resolve, reject };
      // At once: what comes after it in the transaction may be its end.
      if (db.inTransaction) return void this.#writeAll(db, accountId, [waiting]);
      const line = this.#lineOf(db, accountId);
      line.waiting.push(waiting);
      this.#start(line);
    });
  }

  #lineOf(db: Db, accountId: string): Line<Item, Result> {
    let lines = this.#lines.get(db);
    if (lines === undefined) {
      lines = new Map();
      this.#lines.set(db, lines);
    }
    let line = lines.get(accountId);
    if (line === undefined) {
      line = { db, accountId, underWay: 0, isStarting: false, waiting: [] };
      lines.set(accountId, line);
    }
    return line;
  }

  #start(line: Line<Item, Result>): void {
    if (line.isStarting || line.underWay === mostUnderWay || line.waiting.length === 0) return;
    line.isStarting = true;
    // With all that come in the same turn of the event loop.
    setImmediate(() => void this.#work(line));
  }

  /** Writes what waits, until nothing does. */
  async #work(line: Line<Item, Result>): Promise<void> {
    const { db, accountId, waiting } = line;
    line.isStarting = false;
    line.underWay++;
    for (;;) {
      refuseImpatient(waiting);
      const some = waiting.splice(0, mostTogether);
      if (some.length === 0) break;
      this.#start(line);
      await this.#writeAll(db, accountId, some);
    }
    line.underWay--;
    if (line.underWay === 0 && !line.isStarting) this.#lines.get(db)?.delete(accountId);
  }

  /** Answers all of them. */
  async #writeAll(db: Db, accountId: string, some: Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = some.map(({ item }) => item);
      const results = await this.#write(db, accountId, items);
      if (results.length !== some.length)
        throw new Error(`${some.length} writes had ${results.length} results.`);
      for (const [at, { resolve, reject }] of some.entries()) {
        const result = results[at] as Result | AppError;
        if (result instanceof AppError) reject(result);
        else resolve(result);
      }
    } catch (error) {
      if (some.length === 1 || !isOfOne(error)) {
        for (const { reject } of some) reject(error);
        return;
      }
      const half = some.length >> 1;
      await this.#writeAll(db, accountId, some.slice(0, half));
      await this.#writeAll(db, accountId, some.slice(half));
    }
  }
}

/** Nothing was written, because of what one of them is, or since two waited for each other. (40003: nobody knows.) */
const isOfOne = (error: unknown): boolean =>
  error instanceof AppError ||
  (error instanceof pg.DatabaseError && /^(22|23|40(?!003))/.test(error.code ?? ''));

/** Who has not been sent for so long can be told so without harm: nothing of theirs is written. */
function refuseImpatient(waiting: Waiting<unknown, never>[]): void {
  const before = performance.now() - patienceMs;
  while (waiting[0] !== undefined && waiting[0].since < before) waiting.shift()?.reject(unavailable());
}
