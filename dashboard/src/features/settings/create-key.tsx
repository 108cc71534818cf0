import { useState } from 'react';
import type { NewApiKey } from '../../api/records.ts';
import { post, saved } from '../../api/writes.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { FieldRow, SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { KeyLimits, readLimits } from './key-limits.tsx';

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

export function CreateKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewApiKey | null>(null);
  if (made) return <ShowKey made={made} onClose={onClose} />;
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form
        submit="Create API key"
        shows={['scopes']}
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = {
            name: values.text('name'),
            permission: values.text('permission'),
            expires_in_days: values.number('expires_in_days'),
            ...readLimits(values),
          };
          setMade(await saved(post<NewApiKey>('/api-keys', body), 'API key created'));
        }}
      >
        <TextField
          name="name"
          label="Name"
          required
          autoFocus
          hint="What it is for, such as Accounting export."
        />
        <FieldRow>
          <SelectField
            name="permission"
            label="Permission"
            options={[
              { value: 'write', label: 'Read and write' },
              { value: 'read', label: 'Read only' },
            ]}
          />
          <SelectField name="expires_in_days" label="Expires" options={lifetimes} />
        </FieldRow>
        <KeyLimits />
      </Form>
    </Dialog>
  );
}

/** The only time that a key is shown. */
function ShowKey({ made, onClose }: { made: NewApiKey; onClose: () => void }) {
  const curl = `curl ${location.origin}/api/v1/properties -H "Authorization: Bearer ${made.key}"`;
  return (
    <Dialog
      title={`API key: ${made.name}`}
      description="Copy it now and keep it safe. It is not shown again."
      onClose={onClose}
      done="I have saved it"
    >
      <div className="flex flex-col gap-4">
        <CopyBlock label="Key" text={made.key} />
        <CopyBlock label="Try it" text={curl} />
      </div>
    </Dialog>
  );
}
