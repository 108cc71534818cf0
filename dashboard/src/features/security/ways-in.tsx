import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { Security } from '../../api/records.ts';
import { Loaded } from '../../ui/states.tsx';
import { Passkeys } from './passkeys.tsx';
import { TwoFactor } from './two-factor.tsx';

/** What a person signs in with beside their password. */
export function WaysIn() {
  const query = useQuery({
    queryKey: ['security'],
    queryFn: ({ signal }) => get<Security>('/security', undefined, signal),
  });
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
