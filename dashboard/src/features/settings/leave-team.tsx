import { useState } from 'react';
import { startAfresh, useCanWrite, useSession } from '../../api/session.ts';
import { post } from '../../api/writes.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { KeysLeft, useKeysOf } from './keys-left.tsx';

/**
 * Asks for confirmation. As when somebody is removed, the keys that the person made keep working unless they are
 * revoked.
 */
export function LeaveTeam({ onClose }: { onClose: () => void }) {
  const { user, account } = useSession();
  const canWrite = useCanWrite();
  const [isRevoking, setRevoking] = useState(true);
  const { keys, isWaiting } = useKeysOf(user?.id);
  if (isWaiting || account === null) return null;
  // Viewers may not revoke keys.
  const left = canWrite ? keys : undefined;
  const revoke_keys = isRevoking && left !== undefined && left.length > 0;
  return (
    <Confirm
      title={`Leave ${account.name}?`}
      action="Leave"
      keep="Stay"
      onClose={onClose}
      onConfirm={async () => {
        await post(`/accounts/${account.id}/leave`, { revoke_keys });
        await startAfresh('/');
      }}
    >
      <p>You will no longer see this account, unless an owner invites you again. What you recorded stays.</p>
      <KeysLeft who="You" keys={left} onChange={setRevoking} />
    </Confirm>
  );
}
