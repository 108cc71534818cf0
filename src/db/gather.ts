import pg from 'pg';
import { AppError } from '../errors.ts';
import type { Db } from './connect.ts';

/** Writes some in one statement, all or none of them: a result for each, in their order. */
type Write<Item, Result> = (db: Db, accountId: string, items: Item[]) => Promise<Result[]>;

interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Line<Item, Result> {
  underWay: number;
  isStarting: boolean;
  waiting: Waiting<Item, Result>[];
}

/** How many statements of a line are under way at once: Postgres works on one while we answer and gather for the other. */
const mostUnderWay = 2;
const mostTogether = 100;
/** Who has waited this long when the database turns out to be away is told so. The pool has the same patience. */
const patienceMs = 5_000;

/**
 * Writes of an account that come at the same moment go to Postgres together: in one statement, a row takes it a third of what
 * a statement of its own takes (docs/decisions/0013). One that comes alone goes at once, and in a transaction all are alone.
 *
 * What one of them has wrong makes all of its statement fail, and the halves are tried again. So only an account's own writes go
 * together: nobody pays for the mistakes of strangers.
 */
export class Gatherer<Item, Result> {
  readonly #write: Write<Item, Result>;
  /** A transaction is a Db of its own, with lines of its own. */
  readonly #lines = new WeakMap<Db, Map<string, Line<Item, Result>>>();

  constructor(write: Write<Item, Result>) {
    this.#write = write;
  }

  /** The result of this one. */
  add(db: Db, accountId: string, item: Item): Promise<Result> {
    const line = this.#lineOf(db, accountId);
    return new Promise((resolve, reject) => {
      line.waiting.push({ item, since: performance.now(), resolve, reject });
      if (line.isStarting || line.underWay === mostUnderWay) return;
      line.isStarting = true;
      // With all that came in the same turn of the event loop.
      setImmediate(() => void this.#work(db, accountId, line));
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
      line = { underWay: 0, isStarting: false, waiting: [] };
      lines.set(accountId, line);
    }
    return line;
  }

  /** Writes what waits, until nothing does. */
  async #work(db: Db, accountId: string, line: Line<Item, Result>): Promise<void> {
    line.isStarting = false;
    line.underWay++;
    while (line.waiting.length > 0) {
      const error = await this.#writeAll(db, accountId, line.waiting.splice(0, mostTogether));
      if (error !== null) refuseImpatient(line, error);
    }
    line.underWay--;
    if (line.underWay === 0 && !line.isStarting) this.#lines.get(db)?.delete(accountId);
  }

  /** Answers all of them. Returns the error that is not the fault of one. */
  async #writeAll(db: Db, accountId: string, some: Waiting<Item, Result>[]): Promise<unknown> {
    try {
      const items = some.map(({ item }) => item);
      const results = await this.#write(db, accountId, items);
      if (results.length !== some.length)
        throw new Error(`${some.length} writes had ${results.length} results.`);
      for (const [at, { resolve }] of some.entries()) resolve(results[at] as Result);
      return null;
    } catch (error) {
      if (some.length > 1 && isOfOne(error)) {
        const half = some.length >> 1;
        const first = await this.#writeAll(db, accountId, some.slice(0, half));
        return (await this.#writeAll(db, accountId, some.slice(half))) ?? first;
      }
      for (const { reject } of some) reject(error);
      return isOfOne(error) ? null : error;
    }
  }
}

/** Nothing was written, because of what one of them is, or since two waited for each other. */
const isOfOne = (error: unknown): boolean =>
  error instanceof AppError || (error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? ''));

function refuseImpatient<Item, Result>(line: Line<Item, Result>, error: unknown): void {
  const before = performance.now() - patienceMs;
  while (line.waiting[0] !== undefined && line.waiting[0].since < before) line.waiting.shift()?.reject(error);
}
