import type { ReactNode } from 'react';
import { useTitle } from '../../ui/page.tsx';

/** The frame of pages outside the dashboard. */
export function AuthFrame({
  title,
  about,
  children,
  below,
}: {
  title: string;
  about?: ReactNode;
  children: ReactNode;
  below?: ReactNode;
}) {
  useTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[376px] flex-col px-4 pt-[12vh] pb-8">
      <div className="mb-8 flex items-center gap-2.5">
        <img src="/favicon.svg" alt="" className="size-7" />
        <span className="text-lg font-semibold">Tenure</span>
      </div>
      <h1 className="text-xl font-semibold tracking-[-0.01em]">{title}</h1>
      {about && <div className="mt-1 text-soft">{about}</div>}
      <div className="mt-6">{children}</div>
      {below && <div className="mt-6 text-soft">{below}</div>}
    </main>
  );
}
