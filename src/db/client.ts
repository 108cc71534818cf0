import pg from 'pg';
import type { Statement } from './sql.ts';

/** One result, or with a signal two. */
type Answered = (error: Error | undefined, result: pg.QueryResult | pg.QueryResult[]) => void;

/** A statement as pg itself keeps it: given as a plain object, it would be copied descriptor by descriptor each time. */
class Prepared extends pg.Query {
  readonly name: string;
  readonly callback: Answered;
  readonly #signal: string | null;

  constructor({ name, text, values }: Statement, signal: string | null, callback: Answered) {
    super(text, values);
    this.name = name;
    this.callback = callback;
    this.#signal = signal;
  }

  /** The last that pg has a statement say to its connection. A signal behind it is in the same transaction. */
  _getRows(connection: pg.Connection): void {
    connection.execute(null, true);
    if (this.#signal !== null) {
      connection.parse({ name: '', text: this.#signal, types: [] }, true);
      connection.bind({}, true);
      connection.execute(null, true);
    }
    connection.sync();
  }
}

export interface Client extends pg.PoolClient {
  /** The rows that one of our statements answers with. The signal is a statement without an answer, committed with it. */
  rows<Row>(statement: Statement, signal: string | null): Promise<Row[]>;
}

/**
 * Connections that end when a statement waits for its answer for longer than this.
 *
 * pg has such a limit itself, but makes a timer for every statement, and what that holds, the answer with it, outlives
 * several collections of garbage. Our statements share one timer for each connection, wound up for every one. pg's own is
 * left for what comes from elsewhere: the ends of transactions, migrations, better-auth.
 */
export function clientWithin(timeoutMs: number): new () => pg.Client {
  return class extends pg.Client {
    #unanswered = 0;
    #isLate = false;
    #timer: NodeJS.Timeout | undefined;

    rows<Row>(statement: Statement, signal: string | null): Promise<Row[]> {
      this.#unanswered++;
      this.#windUp();
      return new Promise((resolve, reject) => {
        const onAnswer: Answered = (error, result) => {
          // The next in line begins now.
          if (--this.#unanswered > 0) this.#windUp();
          if (error) reject(this.#isLate ? new Error('Query read timeout') : error);
          else resolve((Array.isArray(result) ? result[0] : result)?.rows as Row[]);
        };
        super.query(new Prepared(statement, signal, onAnswer));
      });
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg declares it eight times, and all are meant.
    override query(asked: any, ...more: any[]): any {
      if (typeof asked?.submit === 'function') return super.query(asked, ...more);
      const plain = typeof asked === 'string' ? { text: asked } : asked;
      return super.query({ query_timeout: timeoutMs, ...plain }, ...more);
    }

    #windUp(): void {
      if (this.#timer === undefined) this.#timer = setTimeout(() => this.#ring(), timeoutMs).unref();
      else this.#timer.refresh();
    }

    #ring(): void {
      if (this.#unanswered === 0) return;
      this.#isLate = true;
      this.end().catch(() => undefined);
    }
  };
}
