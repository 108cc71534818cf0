import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Below this all rows are in the page, where the browser's own search finds them. */
const worthIt = 200;

interface VirtualRows<Element> {
  ref: RefObject<Element | null>;
  /** Indexes of the rows to put into the page, and how much room the others take. */
  shown: number[];
  before: number;
  after: number;
  /** Goes to each row, with its index in data-index: rows are as high as their text. */
  measure: ((row: HTMLElement | null) => void) | undefined;
}

/** Which rows of a long list are in sight, as the page scrolls. */
export function useVirtualRows<Element extends HTMLElement>(
  count: number,
  rowHeight: number,
): VirtualRows<Element> {
  const ref = useRef<Element>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const isVirtual = count > worthIt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above the list changes with the list
  useLayoutEffect(() => {
    if (ref.current) setScrollMargin(ref.current.getBoundingClientRect().top + window.scrollY);
  }, [count]);
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    estimateSize: () => rowHeight,
    overscan: 20,
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
