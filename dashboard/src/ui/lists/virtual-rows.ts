import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useIsPrinting } from '../media.ts';

/** Up to this many rows, all are in the page, where the browser's own search finds them. */
const virtualFrom = 200;

interface VirtualRows<Element> {
  ref: RefObject<Element | null>;
  /** The indexes of the rows to render, and the height of the rows before and after them. */
  shown: number[];
  before: number;
  after: number;
  /** The ref of each row, which needs its index in data-index, because rows are as high as their text. */
  measure: ((row: HTMLElement | null) => void) | undefined;
}

/** Finds out which rows of a long list are visible as the page scrolls. */
export function useVirtualRows<Element extends HTMLElement>(
  count: number,
  rowHeight: number,
): VirtualRows<Element> {
  const ref = useRef<Element>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // All rows are printed.
  const isPrinting = useIsPrinting();
  const isVirtual = count > virtualFrom && !isPrinting;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above the list changes with the list
  useLayoutEffect(() => {
    if (ref.current) setScrollMargin(ref.current.getBoundingClientRect().top + window.scrollY);
  }, [count]);
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin,
  });
  if (!isVirtual)
    return {
      ref,
      shown: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
      measure: undefined,
    };
  const items = virtualizer.getVirtualItems();
  return {
    ref,
    shown: items.map(({ index }) => index),
    before: (items[0]?.start ?? scrollMargin) - scrollMargin,
    after: virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin),
    measure: virtualizer.measureElement,
  };
}
