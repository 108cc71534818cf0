import {
  GlobalWorkerOptions,
  getDocument,
  InvalidPDFException,
  PasswordException,
  type PDFDocumentProxy,
  PDFWorker,
  ResponseException,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import rendererAddress from 'pdfjs-dist/legacy/build/pdf.renderer.min.mjs?url';
import readerAddress from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

/** Where vite.config.ts puts the files that pdf.js fetches by name. */
declare const PDFJS_FILES: string;

/** The size of the server's chunks, so that each requested range is one chunk. */
const rangeChunkSize = 256 * 1024;
/** The largest image in a document, in pixels. Decoded, it takes 200 MB. */
const maxImageSize = 50_000_000;

/**
 * Opens a PDF that somebody else made. It is read and drawn in threads of its own, which end with the viewer: a
 * document that keeps them busy for ever does not keep the page busy. Its scripts and links do nothing, because pdf.js
 * runs scripts only in a sandbox that we do not load. It fetches nothing but itself.
 */
export function openPdf(address: string): { opened: Promise<PDFDocumentProxy>; close: () => void } {
  const reader = new Worker(readerAddress, { type: 'module' });
  const renderer =
    typeof OffscreenCanvas === 'undefined' ? null : new Worker(rendererAddress, { type: 'module' });
  GlobalWorkerOptions.rendererPorts = renderer ? [renderer] : [];
  const task = getDocument({
    url: address,
    worker: PDFWorker.create({ port: reader, verbosity: 0 }),
    verbosity: 0,
    rangeChunkSize,
    maxImageSize,
    useWasm: false,
    cMapUrl: `${PDFJS_FILES}cmaps/`,
    standardFontDataUrl: `${PDFJS_FILES}standard_fonts/`,
    wasmUrl: `${PDFJS_FILES}wasm/`,
  });
  return {
    opened: task.promise,
    close() {
      const end = () => {
        reader.terminate();
        renderer?.terminate();
      };
      // Asks the threads to end, but busy ones do not hear it.
      task.destroy().then(end, end);
      setTimeout(end, 1_000);
    },
  };
}

/** Why a PDF cannot be shown, in words. */
export function pdfProblem(error: unknown): string {
  if (error instanceof PasswordException)
    return 'This PDF is protected with a password, so it cannot be shown here.';
  if (error instanceof InvalidPDFException)
    return 'This PDF is damaged or not complete, so it cannot be shown here.';
  if (error instanceof ResponseException && error.status === 404)
    return 'This file no longer exists. Somebody may have deleted it.';
  return error instanceof ResponseException
    ? 'This PDF could not be loaded. Check your connection and try again.'
    : 'This PDF cannot be shown here.';
}
