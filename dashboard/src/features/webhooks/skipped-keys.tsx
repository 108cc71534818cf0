import { useQuery } from '@tanstack/react-query';
import { Check } from '../../ui/forms/check.tsx';
import { Loaded } from '../../ui/states.tsx';
import { apiKeys } from './webhook-queries.ts';

/** Chooses keys whose changes are not sent to the endpoint. If there are no keys, nothing is shown. */
export function SkippedKeys({ chosen = [] }: { chosen?: string[] | undefined }) {
  const query = useQuery(apiKeys);
  return (
    <Loaded query={query}>
      {(keys) => {
        const offered = keys.filter(({ id, status }) => status === 'active' || chosen.includes(id));
        if (offered.length === 0) return null;
        return (
          <fieldset>
            <legend className="mb-3 w-full border-b border-line pb-2 font-semibold">
              Skip what these API keys do
            </legend>
            <p className="mb-3 text-sm text-soft">
              For an automation that also writes here: it is then not notified of its own changes.
            </p>
            <div className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
              {offered.map(({ id, name, prefix }) => (
                <Check
                  key={id}
                  name="skip_actors"
                  value={id}
                  label={name}
                  about={<code className="font-mono">{prefix}…</code>}
                  isOn={chosen.includes(id)}
                />
              ))}
            </div>
          </fieldset>
        );
      }}
    </Loaded>
  );
}
