import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogueEntry } from '../../api/records.ts';
import { Button } from '../../ui/button.tsx';
import { Check } from '../../ui/forms/check.tsx';
import { useFieldError } from '../../ui/forms/form.tsx';
import { Loaded } from '../../ui/states.tsx';
import { catalogue } from './webhook-queries.ts';

/** Chooses events from the catalogue, each with its description. */
export function EventChoice({ chosen }: { chosen?: string[] | undefined }) {
  const query = useQuery(catalogue);
  const problem = useFieldError('events');
  // All and None remount the checkboxes with new defaults.
  const [start, setStart] = useState<{ round: number; chosen: string[] }>({ round: 0, chosen: chosen ?? [] });
  const tick = (names: string[]) => setStart(({ round }) => ({ round: round + 1, chosen: names }));
  return (
    <fieldset>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2 border-b border-line pb-2">
        <legend className="float-left font-semibold">Events</legend>
        {query.data && (
          <div className="flex gap-1">
            <Button kind="quiet" onClick={() => tick(query.data.map(({ event }) => event))}>
              All
            </Button>
            <Button kind="quiet" onClick={() => tick([])}>
              None
            </Button>
          </div>
        )}
      </div>
      {problem && (
        <p role="alert" className="mb-3 text-sm text-bad">
          Choose at least one event.
        </p>
      )}
      <Loaded query={query}>
        {(events) => (
          <div key={start.round} className="flex flex-col gap-4">
            {byNoun(events).map((entries) => (
              <div key={entries[0]?.event} className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
                {entries.map((entry) => (
                  <Check
                    key={entry.event}
                    name="events"
                    value={entry.event}
                    label={entry.event}
                    about={inWords(entry)}
                    isOn={start.chosen.includes(entry.event)}
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

/** Groups events by noun: those of tenants together, those of leases together. */
const byNoun = (entries: CatalogueEntry[]): CatalogueEntry[][] =>
  Object.values(Object.groupBy(entries, ({ event }) => event.split('.')[0] ?? '')).map(
    (group) => group ?? [],
  );

/** The catalogue marks names of events as code. */
const inWords = ({ description }: CatalogueEntry) => description.replaceAll('`', '');
