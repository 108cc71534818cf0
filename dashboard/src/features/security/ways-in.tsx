import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Security } from '../../api/records.ts';
import { useSession } from '../../api/session.ts';
import { Loaded } from '../../ui/states.tsx';
import { Passkeys } from './passkeys.tsx';
import { TwoFactor } from './two-factor.tsx';

/** Ways to sign in beside the password. */
export function WaysIn() {
  const { sso } = useSession();
  const query = useQuery({
    enabled: !sso?.only,
    queryKey: ['security'],
    queryFn: ({ signal }) => get<Security>('/security', undefined, signal),
  });
  if (sso?.only) return null;
  return (
    <Loaded query={query}>
      {(security) => (
        <>
          <TwoFactor of={security} />
          <Passkeys of={security} />
        </>
      )}
    </Loaded>
  );
}
