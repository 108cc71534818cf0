import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Db } from '../../src/db/connect.ts';
import { type Sql, sql, toStatement } from '../../src/db/sql.ts';
import { type Mentions, mentionsOf } from './one-account.ts';

interface Watch {
  /** The database for the service. Statements of the tests themselves are not watched. */
  db: Database;
  /** Throws if a statement broke the rule, with its text. */
  expectOneAccountEach(): void;
}

const transactions = new AsyncLocalStorage<Db>();

/**
 * Checks every statement that a service runs. Each must concern one account in every table that it mentions. Statements
 * of a transaction must be on its own connection.
 */
export async function watchStatements(database: Database): Promise<Watch> {
  const rows = await database.query<{ name: string }>(sql`
    select c.conrelid::regclass::text as name from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1] and a.attname = 'account_id'
    where c.contype = 'p' and c.connamespace = 'public'::regnamespace`);
  const accountTables = new Set(rows.map(({ name }) => name));
  const known = new Map<string, Mentions>();
  const wrong = new Set<string>();

  function look(query: Sql): void {
    const { text, values } = toStatement(query);
    const mentions = known.get(text) ?? mentionsOf(text, accountTables);
    known.set(text, mentions);
    for (const mention of mentions.unfiltered)
      wrong.add(`${mention} is not filtered by account_id = $n in:\n${text}`);
    if (new Set(mentions.parameters.map((number) => values[number - 1])).size > 1)
      wrong.add(`account_id is compared with several accounts in:\n${text}`);
  }

  const watched = <Of extends Db>(db: Of): Of =>
    new Proxy(db, {
      get(target, name) {
        if (name === 'transaction')
          return (work: (tx: Db) => Promise<unknown>, ...account: []) =>
            target.transaction((tx) => transactions.run(tx, () => work(watched(tx))), ...account);
        if (name !== 'query') return Reflect.get(target, name);
        return (query: Sql, ...account: []) => {
          look(query);
          if (!target.inTransaction && transactions.getStore() !== undefined)
            wrong.add(
              `A transaction waits for a second connection, and may wait for itself:\n${toStatement(query).text}`,
            );
          return target.query(query, ...account);
        };
      },
    });

  return {
    db: watched(database),
    expectOneAccountEach() {
      if (wrong.size > 0) throw new Error([...wrong].join('\n\n'));
    },
  };
}
