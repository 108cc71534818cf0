import { parentPort } from 'node:worker_threads';
import { statementPdf } from './statement-pdf.ts';

/* The thread that makes PDFs (pdf-queue.ts), one statement after the other, as they are sent to it. */

parentPort?.on('message', async (body: string) => {
  const content = await statementPdf(body);
  parentPort?.postMessage(content, [content.buffer]);
});
