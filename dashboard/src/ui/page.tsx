import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import { createPortal } from 'react-dom';
import { cx } from './class-names.ts';
import { useIsPhone } from './media.ts';

/** The part of the bar at the top that a page may use on a phone. */
export const PhoneBar = createContext<HTMLElement | null>(null);

export function usePhoneBar(): HTMLElement | null {
  const bar = useContext(PhoneBar);
  return useIsPhone() ? bar : null;
}

interface Props {
  title: string;
  /** The title in the browser's tab, if it differs. */
  tab?: string;
  /** How many there are, beside the title. A phone has no room for this. */
  total?: ReactNode;
  about?: ReactNode;
  /** The main action comes last, at the right. */
  actions?: ReactNode;
  back?: string;
  children: ReactNode;
  width?: 'full' | 'form';
  /**
   * Whether it is a list. On a phone its rows come first: the title and actions are in the bar, and the description
   * comes last.
   */
  isList?: boolean;
}

/** A page: its title and actions, then its content. */
export function Page(props: Props) {
  const { title, tab = title, total, about, actions, back, children, width = 'full', isList = false } = props;
  useTitle(tab);
  const phoneBar = usePhoneBar();
  const bar = isList ? phoneBar : null;
  return (
    <div
      className={cx(
        'mx-auto w-full max-w-[1264px] px-4 pb-16 sm:px-8 sm:pt-7 print:max-w-none print:p-0',
        bar ? 'pt-1' : 'pt-5',
      )}
    >
      {bar ? (
        createPortal(
          <>
            {back && <Back to={back} />}
            <h1 className="min-w-0 grow truncate text-lg font-semibold">{title}</h1>
            {actions}
          </>,
          bar,
        )
      ) : (
        <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="flex min-w-0 items-start gap-2 sm:grow sm:basis-48">
            {back && <Back to={back} />}
            <div className="min-w-0">
              <div className="flex flex-wrap items-baseline gap-x-3">
                <h1 className="text-xl leading-8 font-semibold tracking-[-0.01em] wrap-anywhere">{title}</h1>
                {total}
              </div>
              {about && <div className="mt-0.5 text-soft wrap-anywhere">{about}</div>}
            </div>
          </div>
          {actions && (
            <div className="flex flex-wrap items-center gap-2 sm:ml-auto sm:justify-end print:hidden">
              {actions}
            </div>
          )}
        </header>
      )}
      {width === 'form' ? <div className="max-w-[640px]">{children}</div> : children}
      {bar && about && <div className="mt-6 text-soft wrap-anywhere">{about}</div>}
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
      className="-ml-2 inline-flex size-8 print:hidden shrink-0 items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink [&_svg]:size-4"
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
  sheet,
}: {
  title: string;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string;
  /** The label of a button that prints this section on a sheet of its own. */
  sheet?: string;
}) {
  return (
    <section data-sheet={sheet} className={cx('min-w-0', className)}>
      <div className="mb-2 flex flex-wrap sm:min-h-8 items-center justify-between gap-x-4 gap-y-1">
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
