import { AlertDialog } from 'radix-ui';
import type { ReactNode } from 'react';
import { useAction } from '../../api/writes.ts';
import { Button } from '../button.tsx';
import { useFocusBack } from './focus-back.ts';

interface Props {
  title: string;
  /** What the action does. */
  children: ReactNode;
  action: string;
  /** The label of the other button. */
  keep?: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, keep = 'Cancel', onConfirm, onClose }: Props) {
  const focusBack = useFocusBack();
  const { run, isBusy } = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
        <AlertDialog.Content
          onCloseAutoFocus={focusBack}
          className="pop-in fixed inset-x-4 top-[20vh] z-50 mx-auto max-w-[420px] rounded-xl bg-raised p-5 shadow-pop outline-none"
        >
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-soft">{children}</div>
          </AlertDialog.Description>
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>{keep}</Button>
            </AlertDialog.Cancel>
            <Button kind="danger" isBusy={isBusy} onClick={() => run()}>
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
