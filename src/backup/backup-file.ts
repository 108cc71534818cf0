import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';

/*
 * A backup is gzipped text with one JSON value per line. First comes a head. Then comes, for each table, its name and
 * columns, followed by its rows, as Postgres writes values of the table's type. The last line is the number of rows, so
 * that half a file is never taken for a whole one.
 */

const head = z.object({
  tenure_backup: z.literal(1),
  version: z.string(),
  /** The schema's version: the last migration. */
  schema: z.int(),
  created_at: z.string(),
  /** Fingerprints of the keys that encrypt its secrets. */
  fingerprints: z.array(z.string()),
  /** The lines of secret.key, if the key is kept beside the data. */
  key_file: z.array(z.string()).nullable(),
});
export type Head = z.infer<typeof head>;
const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const endLine = z.object({ rows: z.int() });

export type Line = { table: string; columns: string[] } | { rows: number } | string;

/** A stream spends time on each write. Writing line by line would take twice as long. */
const chunkLength = 65_536;

/** Writes a new file that only its owner may read. */
export function writeBackup(file: string, lines: AsyncIterable<Head | Line>): Promise<void> {
  const text = async function* () {
    let gathered = '';
    for await (const line of lines) {
      gathered += `${JSON.stringify(line)}\n`;
      if (gathered.length < chunkLength) continue;
      yield gathered;
      gathered = '';
    }
    yield gathered;
  };
  const written = createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true });
  return pipeline(Readable.from(text()), createGzip(), written);
}

export class WrongBackup extends Error {}

/** Reads a backup: first its head, then its lines as they come. */
export async function readBackup<Result>(
  file: string,
  use: (head: Head, lines: AsyncIterable<Line>) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined;
  try {
    await pipeline(createReadStream(file), createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      const lines = jsonLines(chunks);
      const first = await lines.next();
      const found = head.safeParse(first.value);
      if (!found.success)
        throw new WrongBackup(`${file} is not a backup that this version of Tenure can read.`);
      result = { value: await use(found.data, checked(file, lines)) };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new WrongBackup(`There is no file ${file}.`);
    if (code === 'Z_BUF_ERROR') throw new WrongBackup(incomplete(file));
    if (code?.startsWith('Z_')) throw new WrongBackup(`${file} is not a Tenure backup, or is damaged.`);
    throw error;
  }
  if (result === undefined) throw new WrongBackup(incomplete(file));
  return result.value;
}

const incomplete = (file: string): string => `${file} is incomplete: use another backup.`;

async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parsed(line);
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** All lines except the last, which must have the right number of rows. */
async function* checked(file: string, lines: AsyncIterable<unknown>): AsyncGenerator<Line> {
  let rows = 0;
  for await (const line of lines) {
    if (typeof line === 'string') {
      rows += 1;
      yield line;
      continue;
    }
    const end = endLine.safeParse(line);
    if (end.success && end.data.rows === rows) return;
    const table = tableLine.safeParse(line);
    if (!table.success) throw new WrongBackup(`${file} is damaged: use another backup.`);
    yield table.data;
  }
  throw new WrongBackup(incomplete(file));
}
