import { useState } from 'react';
import { patch, remove } from '../../api/client.ts';
import type { Security } from '../../api/records.ts';
import { saved } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { Ago } from '../../ui/date.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Section } from '../../ui/page.tsx';
import { PasswordField } from '../auth/auth-forms.tsx';
import { canUsePasskeys, createPasskey } from '../auth/passkey.ts';

type Passkey = Security['passkeys'][number];

/** Signing in with a finger, a face or a PIN instead of the password and a code. */
export function Passkeys({ of }: { of: Security }) {
  const [isAdding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const columns = columnsFor(setRenaming, setRemoving);
  return (
    <Section
      title="Passkeys"
      actions={canUsePasskeys() && <Button onClick={() => setAdding(true)}>Add a passkey</Button>}
    >
      <p className="mb-3 text-soft">
        {canUsePasskeys()
          ? 'Your device or password manager keeps a passkey. It opens with your finger, face or PIN, in place of your password and a code.'
          : 'Your browser has no passkeys here: they need an address with https.'}
      </p>
      {of.passkeys.length > 0 && (
        <Table
          label="Passkeys"
          rows={of.passkeys}
          columns={columns}
          rowKey={({ id }) => id}
          isSticky={false}
        />
      )}
      {isAdding && <AddPasskey hasPassword={of.has_password} onClose={() => setAdding(false)} />}
      {renaming && <RenamePasskey passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing && (
        <Confirm
          title={`Remove ${removing.name}?`}
          action="Remove"
          onClose={() => setRemoving(null)}
          onConfirm={() => saved(remove(`/passkeys/${removing.id}`), 'Passkey removed')}
        >
          It can no longer be used to sign in. Delete it on the device or in the password manager as well.
        </Confirm>
      )}
    </Section>
  );
}

const columnsFor = (
  onRename: (passkey: Passkey) => void,
  onRemove: (passkey: Passkey) => void,
): Column<Passkey>[] => [
  { name: 'Name', phone: 'title', className: 'font-medium wrap-anywhere', cell: ({ name }) => name },
  {
    name: 'Kept',
    phone: 'line',
    cell: ({ synced }) => (synced ? 'In a password manager' : 'On one device'),
  },
  {
    name: 'Added',
    phone: 'line',
    cell: ({ created_at }) => (
      <>
        <span className="sm:hidden">Added </span>
        <Ago at={created_at} />
      </>
    ),
  },
  {
    name: 'Last used',
    phone: 'line',
    cell: ({ last_used_at }) => (
      <>
        <span className="sm:hidden">Last used </span>
        {last_used_at ? <Ago at={last_used_at} /> : 'never'}
      </>
    ),
  },
  {
    name: 'Actions',
    align: 'right',
    phone: 'aside',
    cell: (passkey) => (
      <div className="flex flex-wrap justify-end gap-2 sm:-my-1">
        <Button aria-label={`Rename ${passkey.name}`} className="sm:h-7" onClick={() => onRename(passkey)}>
          Rename
        </Button>
        <Button
          kind="danger"
          aria-label={`Remove ${passkey.name}`}
          className="sm:h-7"
          onClick={() => onRemove(passkey)}
        >
          Remove
        </Button>
      </div>
    ),
  },
];

function AddPasskey({ hasPassword, onClose }: { hasPassword: boolean; onClose: () => void }) {
  return (
    <Dialog title="Add a passkey" description="Your browser asks you to confirm it." onClose={onClose}>
      <Form
        submit="Add passkey"
        onCancel={onClose}
        onSubmit={async (values) => {
          const password = values.secret('password') || undefined;
          await saved(createPasskey(values.text('name'), password), 'Passkey added');
          onClose();
        }}
      >
        <TextField
          name="name"
          label="Name"
          required
          autoFocus
          hint="Where it is stored, such as My laptop."
        />
        {hasPassword && <PasswordField label="Your password" />}
      </Form>
    </Dialog>
  );
}

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  return (
    <Dialog title={`Rename ${passkey.name}`} onClose={onClose}>
      <Form
        submit="Rename"
        onCancel={onClose}
        onSubmit={async (values) => {
          await saved(patch(`/passkeys/${passkey.id}`, { name: values.text('name') }), 'Passkey renamed');
          onClose();
        }}
      >
        <TextField name="name" label="Name" required autoFocus defaultValue={passkey.name} />
      </Form>
    </Dialog>
  );
}
