import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  RenderingCancelledException,
} from 'pdfjs-dist';
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { Skeleton } from '../../ui/states.tsx';

GlobalWorkerOptions.workerSrc = worker;

/** Of a long document, these pages are drawn; the file itself can be downloaded. */
const mostPages = 100;

/**
 * Draws a PDF on canvases. Nothing in it is run: no scripts, no forms, no links; its code has no way into this page. The
 * browser's own viewer would need the file to be served in place, and phones have none in a page.
 */
export default function PdfView({ address, name }: { address: string; name: string }) {
  const [document, setDocument] = useState<PDFDocumentProxy | null>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    const loading = getDocument({
      url: address,
      withCredentials: true,
      // Errors only: files that are not quite right are shown all the same.
      verbosity: 0,
      // The policy of this page does not allow it.
      useWasm: false,
      // A few large requests instead of many small ones.
      disableAutoFetch: false,
      rangeChunkSize: 262_144,
    });
    loading.promise.then(setDocument, () => setBroken(true));
    return () => void loading.destroy();
  }, [address]);
  if (isBroken)
    return (
      <p role="alert" className="p-6 text-soft">
        This PDF cannot be shown here. Download it to open it in another program.
      </p>
    );
  if (document === null) return <Skeleton count={6} className="p-6" />;
  const pages = Array.from({ length: Math.min(document.numPages, mostPages) }, (_, at) => at + 1);
  return (
    <section
      aria-label={`Pages of ${name}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also with the keyboard
      tabIndex={0}
      className="min-h-0 grow overflow-y-auto bg-side p-3 outline-none focus-visible:outline-2 focus-visible:outline-accent"
    >
      {pages.map((number) => (
        <PdfPage key={number} document={document} number={number} />
      ))}
      {document.numPages > mostPages && (
        <p className="py-3 text-center text-soft">
          {document.numPages - mostPages} more pages are in the file. Download it to read them.
        </p>
      )}
    </section>
  );
}

/** Drawn when it comes into view. */
function PdfPage({ document, number }: { document: PDFDocumentProxy; number: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    if (current === null) return;
    let stop = () => {};
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        stop = draw(document, number, current);
      },
      { rootMargin: '400px' },
    );
    observer.observe(current);
    return () => {
      observer.disconnect();
      stop();
    };
  }, [document, number]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={`Page ${number}`}
      className="mx-auto mb-3 block aspect-[1/1.414] w-full max-w-[900px] rounded bg-white shadow-sm"
    />
  );
}

function draw(document: PDFDocumentProxy, number: number, canvas: HTMLCanvasElement): () => void {
  let cancel = () => {};
  let isOver = false;
  const work = async () => {
    const page = await document.getPage(number);
    if (isOver) return;
    const whole = page.getViewport({ scale: 1 });
    const sharpness = Math.min(2, devicePixelRatio);
    const viewport = page.getViewport({ scale: (canvas.clientWidth * sharpness) / whole.width });
    canvas.width = Math.round(viewport.width);
    canvas.height = Math.round(viewport.height);
    canvas.style.aspectRatio = `${whole.width} / ${whole.height}`;
    const task = page.render({ canvas, viewport });
    cancel = () => task.cancel();
    await task.promise;
  };
  work().catch((error) => {
    if (!(error instanceof RenderingCancelledException) && !isOver) console.warn(error);
  });
  return () => {
    isOver = true;
    cancel();
  };
}
