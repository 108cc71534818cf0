import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { DamagedFile, decrypting, encrypting, WrongPassphrase } from './encryption.ts';

/*
 * A backup is gzipped text with one JSON value per line. First comes a head. Then, for each table, come its name and
 * columns, followed by its rows as Postgres writes values of the table's type. The last line is the number of rows, so
 * that half a file is never taken for a whole one. With a passphrase, all of it is encrypted.
 */

const head = z.object({
  tenure_backup: z.literal(1),
  version: z.string(),
  /** The schema's version: the last migration. */
  schema: z.int(),
  created_at: z.string(),
  /** Fingerprints of the keys that encrypt its secrets. */
  fingerprints: z.array(z.string()),
  /** The lines of secret.key, if the key is kept beside the data and was asked for. */
  key_file: z.array(z.string()).nullable(),
});
export type Head = z.infer<typeof head>;
const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
const endLine = z.object({ rows: z.int() });

export type Line = { table: string; columns: string[] } | { rows: number } | string;

/** Each write to a stream takes time: writing line by line would take twice as long. */
const chunkLength = 65_536;

/** Writes a new file that only its owner may read, encrypted if there is a passphrase. */
export function writeBackup(
  file: string,
  lines: AsyncIterable<Head | Line>,
  passphrase: string | null,
): Promise<void> {
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
  const sealed = passphrase === null ? asItIs : encrypting(passphrase);
  return pipeline(Readable.from(text()), createGzip(), sealed, written);
}

async function* asItIs(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

export class WrongBackup extends Error {}

/** Reads a backup: first its head, then its lines as they come. Asks for the passphrase if it is encrypted. */
export async function readBackup<Result>(
  file: string,
  passphrase: () => Promise<string>,
  use: (head: Head, lines: AsyncIterable<Line>) => Promise<Result>,
): Promise<Result> {
  let result: { value: Result } | undefined;
  try {
    const opened = decrypting(passphrase);
    await pipeline(createReadStream(file), opened, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      const lines = jsonLines(chunks);
      const first = await lines.next();
      const found = head.safeParse(first.value);
      if (!found.success)
        throw new WrongBackup(`${file} is not a backup that this version of Tenure can read.`);
      result = { value: await use(found.data, checked(file, lines)) };
    });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof WrongPassphrase) throw new WrongBackup(`The passphrase does not open ${file}.`);
    if (error instanceof DamagedFile)
      throw new WrongBackup(`${file} is incomplete or damaged: use another backup.`);
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

/**
 * All lines except the last, which must state the right number of rows. It reads on to the end of the file, because
 * only then have the checksums been checked too.
 */
async function* checked(file: string, lines: AsyncIterable<unknown>): AsyncGenerator<Line> {
  let rows = 0;
  let ended = false;
  for await (const line of lines) {
    if (typeof line === 'string' && !ended) {
      rows += 1;
      yield line;
      continue;
    }
    const table = tableLine.safeParse(line);
    const end = endLine.safeParse(line);
    const isEnd = end.success && end.data.rows === rows;
    if (ended || (!isEnd && !table.success)) throw new WrongBackup(`${file} is damaged: use another backup.`);
    ended = isEnd;
    if (table.success) yield table.data;
  }
  if (!ended) throw new WrongBackup(incomplete(file));
}
