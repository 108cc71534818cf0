import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { TimeSlice } from '../system/time-slices.ts';

/** Bytes that can be read more than once: a file on disk, or an upload in memory. */
export interface Source {
  name: string;
  size: number;
  open(): AsyncIterable<Buffer>;
  /** The character that stands for line breaks inside cells, if it is a different one. */
  lineBreak?: typeof lineBreak;
}

/** A line break that does not end a line of the file, so that lines can be counted. */
export const lineBreak = '\u2028';

const chunkBytes = 64 * 1024;

export async function fileSource(path: string): Promise<Source> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
    );
  });
  if (!found.isFile()) throw new Error(`${path} is not a file.`);
  return {
    name: path,
    size: found.size,
    open: () => createReadStream(path, { highWaterMark: chunkBytes }),
  };
}

export function memorySource(name: string, bytes: Buffer): Source {
  return {
    name,
    size: bytes.length,
    async *open() {
      const slice = new TimeSlice();
      for (let at = 0; at < bytes.length; at += chunkBytes) {
        if (slice.isOver()) await slice.next();
        yield bytes.subarray(at, at + chunkBytes);
      }
    },
  };
}
