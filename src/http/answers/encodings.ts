import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** Ordered by how much they save for the time they take, which decides if a caller accepts several equally. */
export const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * Answers are compressed once and read once, so all encodings are set to be fast. With windows of 256 kB, a hundred
 * simultaneous downloads take some 200 MB; with the default windows of brotli and zstd they would take a gigabyte.
 */
const { constants } = zlib;
const windowBits = 18;
// From level 4 on, gzip looks for better matches, which on answers like ours takes half as long again and saves
// nothing.
const gzip: zlib.ZlibOptions = { level: 3 };
const zstd: zlib.ZstdOptions = { params: { [constants.ZSTD_c_windowLog]: windowBits } };
const brotli = (quality: number, sizeHint = 0): zlib.BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: windowBits,
    [constants.BROTLI_PARAM_SIZE_HINT]: sizeHint,
  },
});
const fast = 4;

export type Packed = (error: Error | null, packed: Buffer) => void;

/** Compresses off the event loop, in libuv's threads. */
export function packBytes(encoding: Encoding, text: string | Buffer, done: Packed): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  if (encoding === 'gzip') zlib.gzip(bytes, gzip, done);
  else if (encoding === 'zstd') zlib.zstdCompress(bytes, zstd, done);
  else zlib.brotliCompress(bytes, brotli(fast, bytes.length), done);
}

/** If one end breaks, so does the other. So an incomplete file never looks complete. */
export function packStream(encoding: Encoding, source: Readable): Transform {
  const packed = {
    gzip: () => zlib.createGzip(gzip),
    zstd: () => zlib.createZstdCompress(zstd),
    br: () => zlib.createBrotliCompress(brotli(fast)),
  }[encoding]();
  pipeline(source, packed, () => undefined);
  return packed;
}
