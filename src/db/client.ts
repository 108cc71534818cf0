import pg from 'pg';
import type { Statement } from './sql.ts';

type Answered = (error: Error | undefined, result: pg.QueryResult) => void;

/** A statement as pg itself keeps it: given as a plain object, it would be copied descriptor by descriptor each time. */
class Prepared extends pg.Query {
  readonly name: string;
  readonly callback: Answered;

  constructor({ name, text, values }: Statement, callback: Answered) {
    super(text, values);
    this.name = name;
    this.callback = callback;
  }
}

export interface Client extends pg.PoolClient {
  /** The rows that one of our statements answers with. */
  rows<Row>(statement: Statement): Promise<Row[]>;
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

    rows<Row>(statement: Statement): Promise<Row[]> {
      this.#unanswered++;
      this.#windUp();
      return new Promise((resolve, reject) => {
        const onAnswer: Answered = (error, result) => {
          // The next in line begins now.
          if (--this.#unanswered > 0) this.#windUp();
          if (error) reject(this.#isLate ? new Error('Query read timeout') : error);
          else resolve(result.rows as Row[]);
        };
        super.query(new Prepared(statement, onAnswer));
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
