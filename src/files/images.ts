import type { Sharp as Image } from 'sharp';
import { AppError, overloaded } from '../errors.ts';
import type { ImageType } from './kinds.ts';

interface Photo {
  data: Buffer;
  width: number;
  height: number;
  /** A small WebP. */
  thumbnail: Buffer;
}

/** As many as phones take. Decoded, such an image takes 200 MB, whatever the size of its file. */
const mostPixels = 50_000_000;
const thumbnailPixels = 480;
const longestSeconds = 20;

/**
 * Re-encodes an image: upright, and without its location, camera and other hidden data. This happens off the event
 * loop, two images at a time.
 */
export function rewriteImage(
  readInput: () => Promise<Buffer>,
  type: ImageType,
  accountId: string,
): Promise<Photo> {
  return queue.run(accountId, async () => {
    const sharp = await loaded();
    // Read only when it is this image's turn, because a hundred waiting images would fill the memory.
    const input = await readInput();
    const read = () =>
      sharp(input, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
        .autoOrient()
        .timeout({ seconds: longestSeconds });
    try {
      if (type === 'image/jpeg') await refuseSeveralPages(sharp(input));
      const { data, info } = await encoded(read(), type).toBuffer({ resolveWithObject: true });
      const thumbnail = await read()
        .resize(thumbnailPixels, thumbnailPixels, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 75 })
        .toBuffer();
      return { data, width: info.width, height: info.height, thumbnail };
    } catch (error) {
      throw error instanceof AppError ? error : new AppError('unsupported_file', complaint(error));
    }
  });
}

/** A TIFF may be a scanned document. If it has several pages, all but the first would be lost. */
async function refuseSeveralPages(image: Image): Promise<void> {
  const { format, pages = 1 } = await image.metadata();
  if (format === 'tiff' && pages > 1)
    throw new AppError(
      'unsupported_file',
      `This TIFF has ${pages} pages. Send it as PDF, which keeps them all.`,
    );
}

function complaint(error: unknown): string {
  return /pixel limit/i.test(String(error))
    ? `An image may have at most ${mostPixels / 1_000_000} megapixels.`
    : 'This image cannot be read; it is damaged, or not complete.';
}

const encoded = (image: Image, type: ImageType): Image => {
  if (type === 'image/png') return image.png({ compressionLevel: 6 });
  if (type === 'image/webp') return image.webp({ quality: 85 });
  // Transparent parts of a TIFF would become black.
  return image.flatten({ background: 'white' }).jpeg({ quality: 85 });
};

type Sharp = typeof import('sharp').default;
let sharp: Promise<Sharp> | undefined;

/**
 * Loaded with the first image. The library takes some megabytes and milliseconds, and most processes do not need it.
 */
const loaded = (): Promise<Sharp> => {
  sharp ??= import('sharp').then(({ default: library }) => {
    // Several images at once keep the processors busy, each with one thread.
    library.concurrency(1);
    library.cache(false);
    // This blocks the decoders of other formats, whatever a file pretends to be.
    library.block({ operation: ['VipsForeignLoad'] });
    library.unblock({ operation: decoders });
    return library;
  });
  return sharp;
};

const decoders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].flatMap((format) => [
  `VipsForeignLoad${format}Buffer`,
  `VipsForeignLoad${format}Source`,
]);

interface Waiting {
  accountId: string;
  begin: () => void;
}

/** Two images at once, from different accounts. An account that sends many waits for its own. */
class ImageQueue {
  static readonly most = 2;
  static readonly mostWaiting = 100;
  readonly #underWay = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  async run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.size >= ImageQueue.mostWaiting) throw overloaded(5);
    await new Promise<void>((begin) => {
      this.#waiting.add({ accountId, begin });
      this.#next();
    });
    try {
      return await work();
    } finally {
      this.#underWay.delete(accountId);
      this.#next();
    }
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (this.#underWay.size >= ImageQueue.most) return;
      if (this.#underWay.has(waiting.accountId)) continue;
      this.#waiting.delete(waiting);
      this.#underWay.add(waiting.accountId);
      waiting.begin();
    }
  }
}

const queue = new ImageQueue();
