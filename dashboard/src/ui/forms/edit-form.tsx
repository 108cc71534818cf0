import { type ReactNode, useState } from 'react';
import { patch } from '../../api/client.ts';
import { saved } from '../../api/writes.ts';
import { Form } from './form.tsx';
import type { FormValues } from './form-values.ts';

interface Props {
  /** Of the record, in the API. */
  path: string;
  /** What stands in the fields, as the API takes it. */
  read: (values: FormValues) => Fields;
  /** Said when it is saved. */
  message: string;
  onClose: () => unknown;
  isPage?: boolean;
  children: ReactNode;
}

/** A form that changes a record. It sends only what the person changed: what others changed meanwhile stays. */
export function EditForm({ path, read, message, onClose, isPage = false, children }: Props) {
  return (
    <Form
      submit="Save changes"
      onCancel={onClose}
      isPage={isPage}
      onSubmit={async (values, before) => {
        await saveChanges(path, read(before), read(values), message);
        await onClose();
      }}
    >
      {children}
    </Form>
  );
}

type Fields = Record<string, unknown>;

/** Where nothing differs nothing is sent; for the person it is saved all the same. */
export function saveChanges(path: string, before: Fields, after: Fields, message: string): Promise<unknown> {
  const body = changedFields(before, after);
  const isSame = Object.keys(body).length === 0;
  return saved(isSame ? Promise.resolve() : patch(path, body), message);
}

/** Those that are not as before. One that was emptied is null: the server says where that cannot be. */
export function changedFields(before: Fields, after: Fields): Fields {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
}

/** The record as its form was filled with it: what is fetched later changes no field under the person's hands. */
export function useAsOpened<Kind extends { id: string }>(record: Kind | undefined): Kind | undefined {
  const [opened, setOpened] = useState(record);
  if (record && record.id !== opened?.id) setOpened(record);
  return record && record.id === opened?.id ? opened : record;
}
