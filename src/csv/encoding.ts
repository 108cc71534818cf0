import type { Source } from './source.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/**
 * Finds the encoding of a file: the one that its byte order mark says; otherwise UTF-8 if all of it is valid UTF-8;
 * otherwise Windows-1252, which spreadsheets write without saying so. Such text is practically never valid UTF-8 by
 * accident.
 */
export async function detectEncoding(source: Source): Promise<Encoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let start = true;
  try {
    for await (const chunk of source.open()) {
      const wide = start ? detectUtf16(chunk) : null;
      if (wide) return wide;
      start = false;
      utf8.decode(chunk, { stream: true });
    }
    utf8.decode();
    return 'utf-8';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return 'windows-1252';
  }
}

function detectUtf16(chunk: Buffer): Encoding | null {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
  // There may be no mark. A header in plain letters then has a zero in every second byte.
  if (chunk[1] === 0 && chunk[3] === 0 && chunk[0] !== 0) return 'utf-16le';
  return chunk[0] === 0 && chunk[2] === 0 && chunk[1] !== 0 ? 'utf-16be' : null;
}

/** The text of a source, piece by piece, without its byte order mark. */
export async function* decode(
  source: Source,
  encoding: Encoding,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source.open()) {
    onBytes(chunk.length);
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
