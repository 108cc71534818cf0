import { useState } from 'react';
import { remove } from '../../api/client.ts';
import type { Member } from '../../api/records.ts';
import { saved } from '../../api/writes.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { KeysLeft, useKeysOf } from './keys-left.tsx';

/** Asks for confirmation, and shows the keys that the person made, which keep working unless they are revoked. */
export function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const [isRevoking, setRevoking] = useState(true);
  const { keys, isWaiting } = useKeysOf(member.user.id);
  // Otherwise the decision would be about keys that nobody has seen.
  if (isWaiting) return null;
  const path = `/team/members/${member.id}${isRevoking ? '?revoke_keys=true' : ''}`;
  return (
    <Confirm
      title={`Remove ${member.user.name}?`}
      action="Remove"
      onClose={onClose}
      onConfirm={() => saved(remove(path), 'Removed from the team')}
    >
      <p>They will no longer see this account. What they recorded stays.</p>
      <KeysLeft who="They" keys={keys} onChange={setRevoking} />
    </Confirm>
  );
}
