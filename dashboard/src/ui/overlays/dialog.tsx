import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { createPortal } from 'react-dom';
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

/** The place below the part that scrolls; null until it is there, undefined outside of dialogs. */
const FootPlace = createContext<HTMLElement | null | undefined>(undefined);

/** What must stay in view while the content of a dialog scrolls, such as its buttons. Elsewhere it is where it is. */
export function Foot({ children }: { children: ReactNode }) {
  const place = useContext(FootPlace);
  if (place === undefined) return <div className="flex flex-col gap-3 pt-2">{children}</div>;
  return place && createPortal(<div className="flex flex-col gap-3">{children}</div>, place);
}

/** For tasks of a few seconds. It is open as long as it is mounted. */
export function Dialog({ title, description, onClose, done, children }: Props) {
  const focusBack = useFocusBack();
  const [place, setPlace] = useState<HTMLElement | null>(null);
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
          <div className="min-h-0 overflow-y-auto px-5 pt-1 pb-5">
            <FootPlace value={place}>
              {children}
              {done && (
                <Foot>
                  <Button kind="main" className="self-end" onClick={() => onClose()}>
                    {done}
                  </Button>
                </Foot>
              )}
            </FootPlace>
          </div>
          <div ref={setPlace} className="shrink-0 border-t border-line px-5 pt-3 pb-4 empty:hidden" />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
