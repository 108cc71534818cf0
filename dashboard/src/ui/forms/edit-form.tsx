import { type ReactNode, useState } from 'react';
import { patch } from '../../api/client.ts';
import { saved } from '../../api/writes.ts';
import { Form } from './form.tsx';
import type { FormValues } from './form-values.ts';
import { useLeave } from './leaving.tsx';

interface Props {
  /** The record's path in the API. */
  path: string;
  /** Reads the fields, as the API expects them. */
  read: (values: FormValues) => Fields;
  /** The toast after saving. */
  message: string;
  onClose: () => unknown;
  isPage?: boolean;
  submit?: string;
  /** Whether somebody must be asked first. In that case nothing is saved yet. */
  mustAsk?: (values: FormValues) => Promise<boolean>;
  children: ReactNode;
}

/** A form that edits a record. It sends only the changed fields, so that others' changes in the meantime stay. */
export function EditForm({
  path,
  read,
  message,
  onClose,
  isPage = false,
  submit = 'Save changes',
  mustAsk,
  children,
}: Props) {
  return (
    <Form
      submit={submit}
      onCancel={onClose}
      isPage={isPage}
      onSubmit={async (values, before) => {
        if (await mustAsk?.(values)) return false;
        await saveChanges(path, read(before), read(values), message);
        return onClose();
      }}
    >
      {children}
    </Form>
  );
}

/** The same as a page of its own, at the record's path followed by `/edit`. */
export function EditPageForm({ path, ...form }: Omit<Props, 'onClose'>) {
  const leaveTo = useLeave();
  return <EditForm {...form} path={path} isPage onClose={() => leaveTo(path)} />;
}

type Fields = Record<string, unknown>;

/** If nothing changed, nothing is sent, but the person sees the same message. */
export function saveChanges(path: string, before: Fields, after: Fields, message: string): Promise<unknown> {
  const body = changedFields(before, after);
  const isSame = Object.keys(body).length === 0;
  return saved(isSame ? Promise.resolve() : patch(path, body), message);
}

/** The fields that differ. An emptied field is null, which the server refuses if it is not allowed. */
export function changedFields(before: Fields, after: Fields): Fields {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}

/** The record as it was when its form opened, so that a later fetch changes no field while somebody types. */
export function useAsOpened<Kind extends { id: string }>(record: Kind | undefined): Kind | undefined {
  const [opened, setOpened] = useState(record);
  if (record && record.id !== opened?.id) setOpened(record);
  return record && record.id === opened?.id ? opened : record;
}
