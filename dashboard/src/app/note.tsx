import type { ReactNode } from 'react';

/** Something about the whole page that must not be overlooked. */
export const Note = ({ children }: { children: ReactNode }) => (
  <div
    role="status"
    className="sticky top-14 z-20 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-bad-ground px-4 py-2 text-bad lg:top-0 sm:px-8"
  >
    {children}
  </div>
);
