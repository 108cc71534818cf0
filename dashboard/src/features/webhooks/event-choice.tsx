import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogueEntry } from '../../api/records.ts';
import { Check } from '../../ui/forms/check.tsx';
import { useFieldError } from '../../ui/forms/form.tsx';
import { Loaded } from '../../ui/states.tsx';
import { catalogue } from './webhook-queries.ts';

/** Chooses events from the catalogue, each with its description, or all of them. */
export function EventChoice({ chosen = [] }: { chosen?: string[] | undefined }) {
  const query = useQuery(catalogue);
  const problem = useFieldError('events');
  const [isAll, setIsAll] = useState(chosen.includes('*'));
  return (
    <fieldset>
      <legend className="mb-3 w-full border-b border-line pb-2 font-semibold">Events</legend>
      {problem && (
        <p role="alert" className="mb-3 text-sm text-bad">
          Choose at least one event.
        </p>
      )}
      <Loaded query={query}>
        {(events) => (
          <div className="flex flex-col gap-4">
            <Check
              name="events"
              value="*"
              label="All events"
              about="Including events that later versions of Tenure add."
              isOn={isAll}
              onChange={setIsAll}
            />
            {!isAll &&
              byNoun(events).map((entries) => (
                <div key={entries[0]?.event} className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
                  {entries.map((entry) => (
                    <Check
                      key={entry.event}
                      name="events"
                      value={entry.event}
                      label={entry.event}
                      about={inWords(entry)}
                      isOn={chosen.includes(entry.event)}
                    />
                  ))}
                </div>
              ))}
          </div>
        )}
      </Loaded>
    </fieldset>
  );
}

/** Groups events by noun. */
const byNoun = (entries: CatalogueEntry[]): CatalogueEntry[][] =>
  Object.values(Object.groupBy(entries, ({ event }) => event.split('.')[0] ?? '')).map(
    (group) => group ?? [],
  );

/** The catalogue marks event names as code. */
const inWords = ({ description }: CatalogueEntry) => description.replaceAll('`', '');
