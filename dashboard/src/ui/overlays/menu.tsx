import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../class-names.ts';

/** A button that opens a list of actions. */
export function Menu({
  trigger,
  children,
  align = 'end',
  side = 'bottom',
}: {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="pop-in z-50 max-h-[70vh] min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({
  onSelect,
  icon,
  isDanger,
  isDisabled = false,
  children,
}: {
  onSelect: () => void;
  icon?: ReactNode;
  isDanger?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      disabled={isDisabled}
      className={cx(itemClass, isDanger && 'text-bad')}
    >
      {icon}
      {children}
    </DropdownMenu.Item>
  );
}

const itemClass =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 py-1.5 outline-none select-none data-disabled:cursor-not-allowed data-disabled:opacity-60 data-highlighted:bg-hover [&_svg]:size-4 [&_svg]:text-faint';

/** Downloads a file. */
export const MenuDownload = ({
  href,
  icon,
  children,
}: {
  href: string;
  icon?: ReactNode;
  children: ReactNode;
}) => (
  <DropdownMenu.Item asChild>
    <a href={href} download className={itemClass}>
      {icon}
      {children}
    </a>
  </DropdownMenu.Item>
);

export const MenuSeparator = () => <DropdownMenu.Separator className="my-1 h-px bg-line" />;
export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2 py-1.5 text-sm text-faint">{children}</DropdownMenu.Label>
);
