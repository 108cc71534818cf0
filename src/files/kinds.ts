import { isUtf8 } from 'node:buffer';
import { fileTypeFromBuffer } from 'file-type';
import { AppError } from '../errors.ts';

interface Kind {
  /** The first one is added to names without any. */
  extensions: readonly [string, ...string[]];
  /** The format that an image is re-encoded to. */
  becomes?: ImageType;
}

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp';

/**
 * The accepted types. The list is closed and has nothing that a browser or a computer would run. Images are re-encoded
 * in a format that every browser shows; an animated image keeps its first picture only.
 */
const kinds: Readonly<Record<string, Kind>> = {
  'image/jpeg': { extensions: ['jpg', 'jpeg'], becomes: 'image/jpeg' },
  'image/png': { extensions: ['png'], becomes: 'image/png' },
  'image/webp': { extensions: ['webp'], becomes: 'image/webp' },
  'image/gif': { extensions: ['gif'], becomes: 'image/png' },
  'image/avif': { extensions: ['avif'], becomes: 'image/webp' },
  // From scanners. Of the browsers, only Safari shows it.
  'image/tiff': { extensions: ['tif', 'tiff'], becomes: 'image/jpeg' },
  'application/pdf': { extensions: ['pdf'] },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { extensions: ['docx'] },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { extensions: ['xlsx'] },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { extensions: ['pptx'] },
  'application/vnd.oasis.opendocument.text': { extensions: ['odt'] },
  'application/vnd.oasis.opendocument.spreadsheet': { extensions: ['ods'] },
  // Word, Excel and Outlook before 2007.
  'application/x-cfb': { extensions: ['doc', 'xls', 'ppt', 'msg'] },
  'application/rtf': { extensions: ['rtf'] },
  'text/plain': { extensions: ['txt', 'csv', 'tsv', 'md', 'log', 'json'] },
};

const known =
  'JPEG, PNG, WebP, GIF, AVIF, TIFF, PDF, Word, Excel, PowerPoint, OpenDocument, RTF and plain text';
const refused = (what: string): AppError =>
  new AppError('unsupported_file', `${what} Files may be ${known}.`);

/** Finds out what a file is from its first bytes. Its name, and what the caller calls it, play no part. */
export async function typeOf(head: Buffer, isWhole: boolean): Promise<string> {
  const mime = (await fileTypeFromBuffer(head))?.mime;
  if (mime === undefined && isPlainText(head, isWhole)) return 'text/plain';
  if (mime?.startsWith('image/hei'))
    throw refused(
      'HEIC photos cannot be read. Send the photo as JPEG: an iPhone does so when it is chosen from Photos, ' +
        'or if Settings, Camera, Formats is set to Most Compatible.',
    );
  if (mime === undefined || !Object.hasOwn(kinds, mime))
    throw refused('Files of this kind are not accepted.');
  return mime;
}

/** Whether this is UTF-8 without control characters, and nothing that a browser could take for a page or an image. */
function isPlainText(head: Buffer, isWhole: boolean): boolean {
  // The last character may be cut off.
  const cuts = isWhole ? [0] : [0, 1, 2, 3];
  if (!cuts.some((cut) => isUtf8(head.subarray(0, head.length - cut)))) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
  return !/^\uFEFF?\s*<|[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head.toString('utf8'));
}

/** The format that an image of this type is re-encoded to; null for anything else. */
export const imageType = (type: string): ImageType | null => kinds[type]?.becomes ?? null;

const mostCharacters = 200;
const allExtensions = new Set(Object.values(kinds).flatMap(({ extensions }) => extensions));

/** A name that says what the file is: a text called `bill.pdf.html` must not open as a page once it is downloaded. */
export function nameFor(given: string, type: string): string {
  const { extensions } = kinds[type] ?? { extensions: ['txt'] };
  const name = cleaned(given) || 'file';
  const [, stem = name, extension = ''] = /^(.+)\.([^.]{1,10})$/.exec(name) ?? [];
  if (extensions.some((each) => each === extension.toLowerCase())) return shortened(stem, extension);
  return shortened(allExtensions.has(extension.toLowerCase()) ? stem : name, extensions[0]);
}

/** Removes folders, line ends, and everything that changes the direction of writing. */
const cleaned = (name: string): string =>
  (name.split(/[\\/]/).at(-1) ?? '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out
    .replace(/[\0-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .toWellFormed()
    .trim()
    .replace(/^\.+/, '');

const shortened = (stem: string, extension: string): string =>
  `${[...stem].slice(0, mostCharacters - extension.length - 1).join('')}.${extension}`;
