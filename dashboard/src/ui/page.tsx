import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { cx } from './class-names.ts';

interface Props {
  title: string;
  /** The title in the browser's tab, if it differs. */
  tab?: string;
  about?: ReactNode;
  /** The main action comes last, at the right. */
  actions?: ReactNode;
  back?: string;
  children: ReactNode;
  width?: 'full' | 'form';
}

/** A page: its title and actions, then its content. */
export function Page({ title, tab = title, about, actions, back, children, width = 'full' }: Props) {
  useTitle(tab);
  return (
    <div className="mx-auto w-full max-w-[1264px] px-4 pt-5 pb-16 sm:px-8 sm:pt-7">
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="flex min-w-0 items-start gap-2">
          {back && <Back to={back} />}
          <div className="min-w-0">
            <h1 className="text-xl leading-8 font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
            {about && <div className="mt-0.5 text-soft wrap-anywhere">{about}</div>}
          </div>
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2 sm:ml-auto sm:justify-end">{actions}</div>
        )}
      </header>
      {width === 'form' ? <div className="max-w-[640px]">{children}</div> : children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Tenure`;
  }, [title]);
}

function Back({ to }: { to: string }) {
  return (
    <Link
      to={to}
      aria-label="Back"
      title="Back"
      className="-ml-2 inline-flex size-8 shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink [&_svg]:size-4"
    >
      <ArrowLeft />
    </Link>
  );
}

/** A part of a page with its own heading. */
export function Section({
  title,
  about,
  actions,
  children,
  className,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={cx('min-w-0', className)}>
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold">
          {title}
          {about && <span className="ml-2 font-normal text-soft">{about}</span>}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
