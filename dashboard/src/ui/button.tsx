import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './class-names.ts';

type ButtonKind = 'main' | 'plain' | 'quiet' | 'danger';

const kinds: Record<ButtonKind, string> = {
  main: 'bg-accent text-on-accent hover:bg-accent-hover',
  plain: 'border border-line-strong bg-raised text-ink hover:bg-hover',
  quiet: 'text-soft hover:bg-hover hover:text-ink',
  danger: 'border border-line-strong bg-raised text-bad hover:border-bad hover:bg-bad-ground',
};

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  icon?: ReactNode;
  isBusy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export const buttonClass = (kind: ButtonKind = 'plain', className?: string) =>
  cx(
    'inline-flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-md px-3 font-medium whitespace-nowrap',
    'transition-colors disabled:cursor-not-allowed disabled:opacity-60 sm:h-8 print:hidden [&_svg]:size-4 [&_svg]:shrink-0',
    kinds[kind],
    className,
  );

export function Button({
  kind,
  icon,
  isBusy,
  className,
  children,
  disabled,
  type = 'button',
  ...rest
}: Props) {
  return (
    <button
      type={type}
      className={buttonClass(kind, className)}
      aria-busy={isBusy || undefined}
      disabled={disabled || isBusy}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}

/** A button that shows only an icon. Its label is its accessible name and its tooltip. */
export function IconButton({
  label,
  className,
  children,
  type = 'button',
  ...rest
}: Props & { label: string }) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-md text-soft transition-colors sm:size-8',
        'hover:bg-hover hover:text-ink disabled:opacity-60 [&_svg]:size-4',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  );
}
