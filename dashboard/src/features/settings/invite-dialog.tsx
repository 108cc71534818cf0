import { useState } from 'react';
import type { Invitation } from '../../api/records.ts';
import { post, saved } from '../../api/writes.ts';
import { CopyBlock } from '../../ui/copy.tsx';
import { formatMoment } from '../../ui/date.tsx';
import { SelectField, TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { roles } from '../../ui/words.ts';

/** An invitation is a link, so it needs no mail server. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<Invitation | null>(null);
  if (made?.link) {
    return (
      <Dialog
        title={`Invitation for ${made.email}`}
        description={`Send them this link. It works until ${formatMoment(made.expires_at)}.`}
        onClose={onClose}
        done="Done"
      >
        <CopyBlock label="Link" text={made.link} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite someone" onClose={onClose}>
      <Form
        submit="Create link"
        onCancel={onClose}
        onSubmit={async (values) => {
          const body = { email: values.text('email'), role: values.text('role') };
          setMade(await saved(post<Invitation>('/team/invitations', body), 'Invitation created'));
        }}
      >
        <TextField name="email" label="Email" type="email" required autoFocus />
        <SelectField
          name="role"
          label="Role"
          defaultValue="manager"
          options={Object.entries(roles).map(([value, { word, may }]) => ({
            value,
            label: `${word}: ${may}`,
          }))}
        />
      </Form>
    </Dialog>
  );
}
