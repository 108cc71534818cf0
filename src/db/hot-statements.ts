import type pg from 'pg';

/**
 * How many characters all named texts may have together. After every combination of every list was asked for ten times,
 * ten connections hold 141 MB more than at rest; with 200,000 characters it was 174 MB (bench/compare/statements.ts).
 */
const mostText = 120_000;
/** After this many statements, earlier uses count for half. */
const halveAfter = 10_000;
/** How many texts without a name are counted. */
const mostCandidates = 1_000;

interface Hot {
  name: string;
  uses: number;
}

/**
 * Decides which statements get a name. Postgres plans a named statement once per connection and keeps the plan; the
 * others are planned every time. Lists have many thousands of texts, one for each combination of filters, and all of
 * their plans together would take gigabytes. So the texts used most get names, as many as fit, and a newcomer displaces
 * texts that are used less. Somebody who asks for every combination in turn displaces nothing that is in use.
 */
export class HotStatements {
  readonly #hot = new Map<string, Hot>();
  #names = new Set<string>();
  #characters = 0;
  #candidates = new Map<string, number>();
  #statements = 0;
  #named = 0;

  /** The text's name; undefined if it has none. */
  nameOf(text: string): string | undefined {
    if (++this.#statements % halveAfter === 0) this.#halve();
    const hot = this.#hot.get(text);
    if (hot === undefined) return this.#consider(text);
    hot.uses++;
    return hot.name;
  }

  /** Makes the connection forget names that are no longer in use, before it learns another. */
  makeRoom(client: pg.ClientBase, name: string): void {
    const { connection } = client as unknown as { connection: Connection };
    if (connection.parsedStatements[name] !== undefined) return;
    for (const old of Object.keys(connection.parsedStatements)) {
      if (this.#names.has(old)) continue;
      // This is sent with the next statement, which waits for the answers to both.
      connection.close({ type: 'S', name: old });
      delete connection.parsedStatements[old];
    }
  }

  #consider(text: string): string | undefined {
    const uses = (this.#candidates.get(text) ?? 0) + 1;
    const colder = uses > 1 ? this.#roomFor(text, uses) : null;
    if (colder === null) {
      if (this.#candidates.size >= mostCandidates) this.#candidates.clear();
      this.#candidates.set(text, uses);
      return undefined;
    }
    for (const old of colder) this.#forget(old);
    this.#candidates.delete(text);
    // Names are never reused, because a connection may still know the old one.
    const name = `tenure_${++this.#named}`;
    this.#hot.set(text, { name, uses });
    this.#names.add(name);
    this.#characters += text.length;
    return name;
  }

  /** The texts to forget in favour of one that was used this often; null if too few were used less. */
  #roomFor(text: string, uses: number): string[] | null {
    let missing = this.#characters + text.length - mostText;
    const forgotten: string[] = [];
    if (missing <= 0) return forgotten;
    const colder = [...this.#hot]
      .filter(([, hot]) => hot.uses < uses)
      .sort(([, a], [, b]) => a.uses - b.uses);
    for (const [old] of colder) {
      forgotten.push(old);
      missing -= old.length;
      if (missing <= 0) return forgotten;
    }
    return null;
  }

  #forget(text: string): void {
    const hot = this.#hot.get(text);
    if (hot === undefined) return;
    this.#hot.delete(text);
    this.#names.delete(hot.name);
    this.#characters -= text.length;
  }

  #halve(): void {
    for (const hot of this.#hot.values()) hot.uses >>= 1;
    this.#candidates.clear();
  }
}

/** What pg knows of a connection's statements, but does not expose. */
interface Connection {
  parsedStatements: Record<string, string>;
  close(message: { type: 'S'; name: string }): void;
}
