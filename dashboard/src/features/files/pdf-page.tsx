import {
  type PDFDocumentProxy,
  RenderingCancelledException,
  TextLayer,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type RefObject, useEffect, useRef, useState } from 'react';

/** The largest area that phones can draw on, in pixels. */
const mostPixels = 16_000_000;
const longestSide = 8_192;
/** The largest ratio of height to width. Longer pages are shown smaller. */
const mostAspect = 20;

/**
 * One page. It is drawn when it is near and released when it is far, so a long document takes no more memory than a
 * short one.
 */
export function PdfPage({
  pdf,
  number,
  width,
  aspect: usual,
  scroller,
  onCurrent,
}: {
  pdf: PDFDocumentProxy;
  number: number;
  width: number;
  aspect: number;
  scroller: RefObject<HTMLElement | null>;
  onCurrent: (number: number) => void;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const [aspect, setAspect] = useState(usual);
  const [isNear, setNear] = useState(false);
  const [state, setState] = useState<'text' | 'no text' | 'problem' | null>(null);

  useEffect(() => {
    const { current: element } = frame;
    const { current: root } = scroller;
    if (element === null) return;
    const near = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root,
      rootMargin: '100% 0px',
    });
    const middle = new IntersectionObserver(([entry]) => entry?.isIntersecting && onCurrent(number), {
      root,
      rootMargin: '-50% 0px',
    });
    for (const observer of [near, middle]) observer.observe(element);
    return () => {
      for (const observer of [near, middle]) observer.disconnect();
    };
  }, [scroller, number, onCurrent]);

  useEffect(() => {
    const { current: pictures } = picture;
    const { current: texts } = text;
    if (!isNear || pictures === null || texts === null) return;
    const drawing = new AbortController();
    draw({ pdf, number, width, pictures, texts, signal: drawing.signal, onAspect: setAspect })
      .then((hasText) => !drawing.signal.aborted && setState(hasText ? 'text' : 'no text'))
      .catch((error: unknown) => {
        if (!drawing.signal.aborted && !(error instanceof RenderingCancelledException)) setState('problem');
      });
    return () => drawing.abort();
  }, [pdf, number, width, isNear]);

  useEffect(() => {
    if (isNear) return;
    picture.current?.replaceChildren();
    text.current?.replaceChildren();
    setState(null);
  }, [isNear]);

  const label = `Page ${number} of ${pdf.numPages}`;
  return (
    <article
      ref={frame}
      aria-label={label}
      aria-busy={isNear && state === null}
      className="relative overflow-hidden bg-white text-black shadow-sm"
      style={{ width, height: Math.ceil(width * Math.min(aspect, mostAspect)) }}
    >
      <div
        ref={picture}
        {...(state === 'no text'
          ? { role: 'img', 'aria-label': `${label}, a picture without text` }
          : { 'aria-hidden': true })}
        className="size-full *:size-full *:object-contain"
      />
      <div ref={text} className="pdf-text" />
      {state === 'problem' && <p className="absolute inset-0 p-6">This page cannot be shown.</p>}
    </article>
  );
}

/** Draws a page beside the one that is shown, which stays until the new one is ready. Returns whether it has text. */
async function draw({
  pdf,
  number,
  width,
  pictures,
  texts,
  signal,
  onAspect,
}: {
  pdf: PDFDocumentProxy;
  number: number;
  width: number;
  pictures: HTMLElement;
  texts: HTMLElement;
  signal: AbortSignal;
  onAspect: (aspect: number) => void;
}): Promise<boolean> {
  const page = await pdf.getPage(number);
  signal.throwIfAborted();
  const size = page.getViewport({ scale: 1 });
  onAspect(size.height / size.width);
  const fine = Math.min(devicePixelRatio, 2);
  const scale = Math.min(
    (width / size.width) * fine,
    Math.sqrt(mostPixels / (size.width * size.height)),
    longestSide / Math.max(size.width, size.height),
  );
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const rendering = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => rendering.cancel());
  await rendering.promise;
  signal.throwIfAborted();
  pictures.replaceChildren(canvas);
  const layer = document.createElement('div');
  layer.className = 'pdf-text-layer';
  layer.style.setProperty('--total-scale-factor', String(width / size.width));
  const written = new TextLayer({
    textContentSource: await page.getTextContent(),
    container: layer,
    viewport: page.getViewport({ scale: width / size.width }),
  });
  signal.addEventListener('abort', () => written.cancel());
  await written.render();
  signal.throwIfAborted();
  texts.replaceChildren(layer);
  return written.textContentItemsStr.some((each) => each.trim() !== '');
}
