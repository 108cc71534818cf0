import { useQuery } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import type { ApiKey } from '../../api/records.ts';
import { Check } from '../../ui/forms/check.tsx';

/** The live keys that a person made. Undefined until they are known, or if they cannot be known. */
export function useKeysOf(userId: string | undefined) {
  const { data, error } = useQuery({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => get<ApiKey[]>('/api-keys', undefined, signal),
  });
  const keys = data?.filter(({ status, created_by }) => status === 'active' && created_by?.id === userId);
  return { keys, isWaiting: keys === undefined && !error };
}

/** Shows the keys that keep working when a person is gone, and offers to revoke them. */
export function KeysLeft({
  who,
  keys,
  onChange,
}: {
  who: 'They' | 'You';
  keys: ApiKey[] | undefined;
  onChange: (isRevoking: boolean) => void;
}) {
  if (keys === undefined || keys.length === 0) return null;
  return (
    <div className="mt-3">
      <p>{who} made these API keys:</p>
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
        about="Programs that use them stop working at once. Otherwise they keep working."
        isOn
        onChange={onChange}
      />
    </div>
  );
}
