import { Download, ZoomIn, ZoomOut } from 'lucide-react';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { RecordFile } from '../../api/records.ts';
import { buttonClass, IconButton } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { contentAddress } from './file-words.ts';
import { openPdf, pdfProblem } from './pdf-document.ts';
import { PdfPage } from './pdf-page.tsx';
import './pdf-view.css';

/** More pages than any lease has. Each is an element of the page, even while it is not drawn. */
const mostPages = 500;
/** A page fills the width of the window, but becomes no wider than this. */
const widest = 900;
const zooms = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const fit = zooms.indexOf(1);

type State = { pdf: PDFDocumentProxy; aspect: number } | { problem: string };

/** A PDF, page by page, drawn as they scroll into view. */
export default function PdfView({ file }: { file: RecordFile }) {
  const state = usePdf(contentAddress(file));
  if (state === null)
    return (
      <div role="status" aria-label={`Loading ${file.name}`} className="grow p-6">
        <Skeleton />
      </div>
    );
  if ('pdf' in state) return <Pages name={file.name} {...state} />;
  return (
    <div role="alert" className="flex grow flex-col items-center justify-center gap-4 p-6 text-center">
      <p className="max-w-[44ch]">{state.problem}</p>
      <a href={contentAddress(file)} download className={buttonClass('main')}>
        <Download aria-hidden="true" />
        Download
      </a>
    </div>
  );
}

function usePdf(address: string): State | null {
  const [state, setState] = useState<State | null>(null);
  useEffect(() => {
    let isOpen = true;
    const { opened, close } = openPdf(address);
    const show = (next: State) => {
      if (isOpen) setState(next);
    };
    opened
      .then(async (pdf) => {
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        show({ pdf, aspect: height / width });
      })
      .catch((error: unknown) => show({ problem: pdfProblem(error) }));
    return () => {
      isOpen = false;
      close();
    };
  }, [address]);
  return state;
}

function Pages({ name, pdf, aspect }: { name: string; pdf: PDFDocumentProxy; aspect: number }) {
  const scroller = useRef<HTMLElement>(null);
  const [room, setRoom] = useState(0);
  const [zoom, setZoom] = useState(fit);
  const [current, setCurrent] = useState(1);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // So that arrows and Page Down scroll at once.
    element.focus({ preventScroll: true });
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const width = Math.floor(Math.min(room - 16, widest) * (zooms[zoom] ?? 1));
  const count = Math.min(pdf.numPages, mostPages);
  const isWide = width > room;
  const step = (by: 1 | -1) => setZoom((at) => Math.min(Math.max(at + by, 0), zooms.length - 1));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') step(1);
    if (event.key === '-') step(-1);
    if (event.key === '0') setZoom(fit);
    // Not smoothly: a browser that glides there stops where pages are being drawn.
    if (event.key === 'Home') scroller.current?.scrollTo({ top: 0, behavior: 'instant' });
    if (event.key === 'End')
      scroller.current?.scrollTo({ top: scroller.current.scrollHeight, behavior: 'instant' });
    if (event.key === 'Home' || event.key === 'End') event.preventDefault();
    // These keys scroll here, and must not lead to the next file.
    if (isWide && /^Arrow(Left|Right)$/.test(event.key)) event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for what the buttons do
    <div className="flex min-h-0 grow flex-col" onKeyDown={onKeyDown}>
      <div className="flex items-center justify-center gap-1 border-b border-line px-3 py-1 text-sm text-soft">
        <span className="mr-2 tabular-nums">
          Page {current} of {pdf.numPages}
        </span>
        <IconButton label="Zoom out" disabled={zoom === 0} onClick={() => step(-1)}>
          <ZoomOut />
        </IconButton>
        <button
          type="button"
          title="Fit to width"
          aria-label={`Fit to width, now ${percent(zoom)}`}
          className={buttonClass('quiet', 'w-16 px-1 tabular-nums')}
          onClick={() => setZoom(fit)}
        >
          {percent(zoom)}
        </button>
        <IconButton label="Zoom in" disabled={zoom === zooms.length - 1} onClick={() => step(1)}>
          <ZoomIn />
        </IconButton>
      </div>
      <section
        ref={scroller}
        aria-label={`Pages of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        tabIndex={0}
        className="min-h-0 grow overflow-auto bg-side p-2 -outline-offset-2"
      >
        <div className="mx-auto flex flex-col gap-2" style={{ width }}>
          {room > 0 &&
            Array.from({ length: count }, (_, at) => (
              <PdfPage
                // biome-ignore lint/suspicious/noArrayIndexKey: pages keep their numbers
                key={at}
                pdf={pdf}
                number={at + 1}
                width={width}
                aspect={aspect}
                scroller={scroller}
                onCurrent={setCurrent}
              />
            ))}
          {count < pdf.numPages && (
            <p className="py-4 text-center text-soft">
              The first {count} of {pdf.numPages} pages are shown. Download the file to see the rest.
            </p>
          )}
        </div>
      </section>
    </div>
  );
}

const percent = (zoom: number): string => `${(zooms[zoom] ?? 1) * 100}%`;
