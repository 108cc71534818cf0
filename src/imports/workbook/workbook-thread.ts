import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { csvLine } from '../../csv/cells.ts';
import { lineBreak } from '../../csv/source.ts';
import { longestHeader } from '../cells/headers.ts';
import { tooLarge, UnreadableWorkbook } from './package.ts';
import { openWorkbook, type Sheet } from './sheets.ts';

/*
 * The thread in which a workbook is read (workbook.ts). If there are several sheets, it shows their beginnings, and
 * waits for the choice of one.
 */

/** How much CSV a workbook may yield: as much as may be sent as CSV. */
const mostTextBytes = 50 * 1024 * 1024;
/** How many sheets are examined, and how many rows of each. */
const mostSheets = 20;
const headRows = 60;

/** The thread's messages: first the sheets, then the chosen one; or what is wrong, null if the file is damaged. */
export type FromThread =
  | { names: string[]; heads: string[][][] }
  | { csv: Uint8Array<ArrayBuffer> }
  | { problem: string | null };

const port = parentPort;
if (port === null) throw new Error('This is a thread.');
const say = (message: FromThread, ...moved: ArrayBuffer[]) => port.postMessage(message, moved);

try {
  const sheets = await openWorkbook(
    Buffer.from(workerData.buffer, workerData.byteOffset, workerData.byteLength),
  );
  const heads: string[][][] = [];
  for (const sheet of sheets.slice(0, mostSheets)) heads.push(await headOf(sheet));
  say({ names: sheets.map(({ name }) => name), heads });
  const [chosen] = await once(port, 'message');
  const csv = await csvOf(sheets[chosen]);
  say({ csv }, csv.buffer);
} catch (error) {
  say({ problem: error instanceof UnreadableWorkbook ? error.message : null });
}

async function headOf(sheet: Sheet): Promise<string[][]> {
  const head: string[][] = [];
  for await (const { cells } of sheet.rows()) {
    if (cells.some((cell) => cell.trim() !== ''))
      head.push(cells.map((cell) => cell.slice(0, longestHeader)));
    if (head.length === headRows) break;
  }
  return head;
}

/** Each row of the sheet becomes a line of the file, so that an error in line 12 is found in row 12. */
async function csvOf(sheet: Sheet | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let line = 1;
  const add = (text: string) => {
    const piece = Buffer.from(text);
    bytes += piece.length;
    if (bytes > mostTextBytes) throw tooLarge();
    pieces.push(piece);
  };
  let text = '';
  for await (const { number, cells } of sheet?.rows() ?? []) {
    text += '\r\n'.repeat(number - line);
    text += csvLine(cells.map((cell) => cell.replace(/\r\n|\r|\n/g, lineBreak)));
    line = number + 1;
    if (text.length < 100_000) continue;
    add(text);
    text = '';
  }
  add(text);
  const csv = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    csv.set(piece, at);
    at += piece.length;
  }
  return csv;
}
