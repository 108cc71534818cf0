import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { TimeSlice } from './time-slices.ts';

export interface ZipFile {
  name: string;
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
  /** Whether to store the file uncompressed, because it already is compressed, like photos and PDFs. */
  isStored?: boolean;
}

/** How much is compressed at once. It takes two or three milliseconds. */
const sliceBytes = 64 * 1024;

/** Writes files as a ZIP archive piece by piece, so that memory does not depend on their size. */
export async function* zipOf(
  files: AsyncIterable<ZipFile> | Iterable<ZipFile>,
): AsyncGenerator<Uint8Array, void> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  const slice = new TimeSlice();
  for await (const { name, content, isStored } of files) {
    const file = isStored ? new ZipPassThrough(name) : new ZipDeflate(name);
    zip.add(file);
    for await (const piece of content) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let at = 0; at < bytes.length; at += sliceBytes) {
        if (slice.isOver()) await slice.next();
        file.push(bytes.subarray(at, at + sliceBytes));
        yield* ready.splice(0);
      }
    }
    file.push(new Uint8Array(0), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}
