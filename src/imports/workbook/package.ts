import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** Why a workbook cannot be read, as a sentence for people. */
export class UnreadableWorkbook extends Error {}

/** How much is unpacked from a file in all, its sheets twice: a sheet of 30 MB as CSV has some 200 MB of XML. */
const mostUnpackedBytes = 500 * 1024 * 1024;
/** The longest text or tag. The parser keeps it until it ends. */
const longestPieceBytes = 16 * 1024 * 1024;
const deepest = 100;
/** Sheets, styles, pictures: a large workbook has hundreds of parts. */
const mostParts = 10_000;

export const tooLarge = () =>
  new UnreadableWorkbook(
    'The workbook is too large when it is unpacked. Save the sheet as CSV, or as smaller workbooks, and import those.',
  );

/** The parts of a workbook, which is a ZIP file. Nothing is unpacked before it is asked for, or kept afterwards. */
export class Package {
  readonly #zip: ZipFile;
  readonly #parts = new Map<string, Entry>();
  #unpacked = 0;

  private constructor(zip: ZipFile) {
    this.#zip = zip;
  }

  static async open(bytes: Buffer): Promise<Package> {
    const made = new Package(await fromBufferPromise(bytes, { lazyEntries: true }));
    if (made.#zip.entryCount > mostParts) throw tooLarge();
    for await (const entry of made.#zip.eachEntry()) made.#parts.set(nameOf(entry.fileName), entry);
    return made;
  }

  has(name: string): boolean {
    return this.#parts.has(nameOf(name));
  }

  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#parts.get(nameOf(name));
    if (entry === undefined) throw new Error(`There is no ${name}.`);
    // The declared size. If a part turns out to be larger, the stream fails.
    this.#unpacked += entry.uncompressedSize;
    if (this.#unpacked > mostUnpackedBytes) throw tooLarge();
    yield* await this.#zip.openReadStreamPromise(entry);
  }
}

/** Names of parts are compared regardless of case, and with or without a leading slash. */
const nameOf = (name: string): string => name.replace(/^\//, '').toLowerCase();

interface XmlReader {
  open(name: string, attributes: Record<string, string>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/**
 * Reads XML as it arrives, and returns to the caller after each piece. Elements are recognised by their local names,
 * because programs choose the prefixes. The parser refuses entities that a document defines, so none can be a bomb.
 */
export async function* readXml(chunks: AsyncIterable<Buffer>, reader: XmlReader): AsyncGenerator<void> {
  const parser = new SaxesParser();
  let [depth, unread] = [0, 0];
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (++depth > deepest) throw tooLarge();
    unread = 0;
    reader.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    depth--;
    unread = 0;
    reader.close?.(localName(name));
  });
  const text = (piece: string) => reader.text?.(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    unread += chunk.length;
    if (unread > longestPieceBytes) throw tooLarge();
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode());
  parser.close();
}

/** Like readXml, but all at once. */
export async function readAllXml(chunks: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  for await (const _ of readXml(chunks, reader));
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
