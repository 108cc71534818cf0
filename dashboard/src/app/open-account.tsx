import { useState } from 'react';
import { startAfresh } from '../api/session.ts';
import { create } from '../api/writes.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/forms/field.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';

export default function OpenAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="main" onClick={() => setOpen(true)}>
        Open an account
      </Button>
      {isOpen && (
        <FormDialog
          title="Open an account"
          submit="Open account"
          onClose={() => setOpen(false)}
          onSubmit={async (values) => {
            const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
            await create('/accounts', { name: values.text('name'), time_zone });
            await startAfresh('/');
          }}
        >
          <TextField name="name" label="Name" autoComplete="organization" required />
        </FormDialog>
      )}
    </>
  );
}
