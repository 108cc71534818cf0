import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, remove } from '../../api/client.ts';
import type { ApiKey, Member } from '../../api/records.ts';
import { saved } from '../../api/writes.ts';
import { Check } from '../../ui/forms/check.tsx';
import { Confirm } from '../../ui/overlays/confirm.tsx';

/** Asks first, and shows the keys that the person made: they go on working unless they are revoked. */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const [isRevoking, setRevoking] = useState(true);
  const { data, error } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<ApiKey[]>('/api-keys', undefined, signal),
  });
  const keys = data?.filter(
    ({ status, created_by }) => status === 'active' && created_by?.id === member.user.id,
  );
  // It would be decided about keys that nobody has seen.
  if (keys === undefined && !error) return null;
  const path = `/team/members/${member.id}${isRevoking ? '?revoke_keys=true' : ''}`;
  return (
    <Confirm
      title={`Remove ${member.user.name}?`}
      action="Remove"
      onClose={onClose}
      onConfirm={() => saved(remove(path), 'Removed from the team')}
    >
      <p>They will no longer see this account. What they recorded stays.</p>
      {keys !== undefined && keys.length > 0 && (
        <div className="mt-3">
          <p>They made these API keys:</p>
          <ul className="mt-1 mb-3 list-disc pl-5">
            {keys.map(({ id, name, prefix }) => (
              <li key={id} className="wrap-anywhere">
                {name} <code className="font-mono text-sm">{prefix}…</code>
              </li>
            ))}
          </ul>
          <Check
            name="revoke_keys"
            label="Revoke these keys as well"
            about="Programs that use them are refused at once. Otherwise they go on working."
            isOn
            onChange={setRevoking}
          />
        </div>
      )}
    </Confirm>
  );
}
