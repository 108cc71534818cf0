import { useSyncExternalStore } from 'react';

/** Whether the last request got no answer. */
let isLost = false;
const listeners = new Set<() => void>();

function set(lost: boolean): void {
  if (isLost === lost) return;
  isLost = lost;
  for (const listener of listeners) listener();
}

export const connection = { lost: () => set(true), reached: () => set(false) };

export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isLost,
  );
}
