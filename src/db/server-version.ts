import type { QueryResult } from 'pg';

const oldest = 150_000;

/** What a pool and a connection have in common. */
interface Asked {
  query(text: string): Promise<Pick<QueryResult<{ number: number; version: string }>, 'rows'>>;
}

/** Returns the name of this Postgres's version. A server that is too old is refused before anything is written. */
export async function checkServerVersion(asked: Asked): Promise<string> {
  const { rows } = await asked.query(
    "select current_setting('server_version_num')::integer as number, current_setting('server_version') as version",
  );
  const [row] = rows;
  if (!row || row.number < oldest) throw new Error(`Postgres ${row?.version} is too old; use 15 or later.`);
  return row.version;
}
