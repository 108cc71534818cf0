import { buffer } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { lineBreak, memorySource, type Source } from '../../csv/source.ts';
import type { FromThread } from './workbook-thread.ts';

/** A file that needs more than this is not a table of records. */
const mostPackedBytes = 50 * 1024 * 1024;
/** A file that takes longer was not made to be imported. */
const mostMs = 60_000;
/** If a workbook needs more memory, that ends the thread, not the process. */
const memoryMb = 384;

interface ReadWorkbook {
  /** The chosen sheet as CSV. */
  source: Source;
  /** The name of the sheet, if the workbook has others. */
  sheet: string | null;
}

/** Whether these bytes begin a ZIP file, which workbooks are. */
export const isPacked = (first: Buffer): boolean => first.toString('latin1', 0, 4) === 'PK\x03\x04';

const damaged =
  'The workbook is damaged, or it has a password. Open it, save it again as XLSX or CSV, and import that.';
const tooMuch =
  'The workbook is too large, or takes too long to read. Save the sheet as CSV, or as smaller workbooks, and import those.';

/**
 * Reads a sheet of a workbook in a thread of its own, because unpacking takes seconds, in which nobody else would be
 * answered. `choose` is given the first rows of each sheet and says which one is meant. If the workbook cannot be read,
 * the result says what is wrong.
 */
export async function readWorkbook(
  source: Source,
  choose: (heads: string[][][]) => Promise<number>,
): Promise<ReadWorkbook | string> {
  if (source.size > mostPackedBytes) return tooMuch;
  const thread = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {},
    workerData: await buffer(source.open()),
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ReadWorkbook | string>();
  const late = setTimeout(() => resolve(tooMuch), mostMs);
  let sheet: string | null = null;
  thread.on('message', (message: FromThread) => {
    if ('problem' in message) resolve(message.problem ?? damaged);
    else if ('csv' in message) {
      const { buffer: content, byteOffset, byteLength } = message.csv;
      const csv = memorySource(source.name, Buffer.from(content, byteOffset, byteLength));
      resolve({ source: { ...csv, lineBreak }, sheet });
    } else
      choose(message.heads).then((chosen) => {
        if (message.names.length > 1) sheet = message.names[chosen] ?? null;
        thread.postMessage(chosen);
      }, reject);
  });
  thread.on('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(tooMuch) : reject(error),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    await thread.terminate();
  }
}
