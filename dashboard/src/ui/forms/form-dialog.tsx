import type { ReactNode } from 'react';
import { Dialog } from '../overlays/dialog.tsx';
import { Form, type FormProps } from './form.tsx';

interface Props extends Omit<FormProps, 'onCancel' | 'isPage' | 'isWide'> {
  title: string;
  description?: ReactNode;
  onClose: () => unknown;
}

/** A form in a dialog that closes after saving. */
export function FormDialog({ title, description, onClose, onSubmit, ...form }: Props) {
  return (
    <Dialog title={title} description={description} onClose={onClose}>
      <Form
        {...form}
        onCancel={onClose}
        onSubmit={async (values, before) => {
          if ((await onSubmit(values, before)) === false) return false;
          return onClose();
        }}
      />
    </Dialog>
  );
}
