import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../button.tsx';
import { useFocusBack } from './focus-back.ts';

interface Props {
  title: string;
  description?: ReactNode;
  onClose: () => unknown;
  /** The label of a button below the content that closes the dialog. */
  done?: string;
  children: ReactNode;
}

/** For tasks of a few seconds. It is open as long as it is mounted. */
export function Dialog({ title, description, onClose, done, children }: Props) {
  const focusBack = useFocusBack();
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
        <Radix.Content
          // A click beside the dialog must not lose what was typed, or a secret that is shown only once.
          onInteractOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={focusBack}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className="pop-in fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-xl bg-raised shadow-pop outline-none sm:inset-auto sm:top-[12vh] sm:left-1/2 sm:max-h-[80vh] sm:w-[480px] sm:-translate-x-1/2 sm:rounded-xl"
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
            <div className="min-w-0 pt-1">
              <Radix.Title className="text-lg font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-soft" asChild>
                  <div>{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" className="-mr-2">
                <X />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="overflow-y-auto px-5 pt-1 pb-5">
            {children}
            {done && (
              <div className="mt-5 flex justify-end">
                <Button kind="main" onClick={() => onClose()}>
                  {done}
                </Button>
              </div>
            )}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
