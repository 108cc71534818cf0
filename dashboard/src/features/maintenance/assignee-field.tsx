import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { get } from '../../api/client.ts';
import type { Assignee, MaintenanceRequest } from '../../api/records.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { useSettled } from '../../ui/settled.ts';

/** A person or a company. Any name will do; those who had requests before are suggested. */
export function AssigneeField({
  request,
  ...rest
}: {
  request: MaintenanceRequest | undefined;
  hint?: string;
  autoFocus?: boolean;
}) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const q = useSettled(typed.trim(), 150) || undefined;
  const { data: known = [] } = useQuery({
    queryKey: ['maintenance', 'assignees', q],
    queryFn: ({ signal }) => get<Assignee[]>('/maintenance/assignees', { q }, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="min-w-0">
      <TextField
        name="assigned_to"
        label="Assigned to"
        defaultValue={request?.assigned_to}
        list={listId}
        onChange={(event) => setTyped(event.target.value)}
        {...rest}
      />
      <datalist id={listId}>
        {known.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
