import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

const phone = matchMedia('(max-width: 767px)');
const paper = matchMedia('print');

let isPrinting = paper.matches;
const listeners = new Set<() => void>();

/** What the page shows when this returns is printed. */
function print(next: boolean): void {
  if (next === isPrinting) return;
  isPrinting = next;
  flushSync(() => {
    for (const listener of listeners) listener();
  });
}

// Not every browser reports it in both ways.
addEventListener('beforeprint', () => print(true));
addEventListener('afterprint', () => print(false));
paper.addEventListener('change', ({ matches }) => print(matches));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  phone.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    phone.removeEventListener('change', listener);
  };
}

/** Paper is narrow as well, but has room for tables. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches && !isPrinting);

export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting);
