import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { Combobox, type Option } from '../../ui/forms/combobox.tsx';

/** The browser's time zone. */
const browsersTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Picks a time zone by part of its name. The browser's is offered if it is a different one. */
export function TimeZoneField({ timeZone }: { timeZone: string }) {
  const [chosen, setChosen] = useState(timeZone);
  const here = browsersTimeZone();
  return (
    <Combobox
      name="time_zone"
      label="Time zone"
      hint={
        <>
          A day begins and ends there, for due dates, late fees and reports.
          {chosen !== here && (
            <>
              {' '}
              <button
                type="button"
                onClick={() => setChosen(here)}
                className="text-accent-ink hover:underline"
              >
                Use {wordsFor(here)}, as in this browser
              </button>
            </>
          )}
        </>
      }
      find={(text) => zonesLike(text, chosen)}
      selected={chosen === '' ? null : optionFor(chosen)}
      onSelect={(option) => setChosen(option?.value ?? '')}
    />
  );
}

const zonesLike = (text: string, chosen: string) =>
  queryOptions({
    queryKey: ['time-zones', text, chosen],
    queryFn: () =>
      [...new Set(['UTC', chosen, browsersTimeZone(), ...Intl.supportedValuesOf('timeZone')])]
        .filter((zone) => zone !== '' && wordsFor(zone).toLowerCase().includes(text.toLowerCase()))
        .sort()
        .map(optionFor),
  });

/** The current time there distinguishes zones better than their names do. */
const optionFor = (zone: string): Option => ({ value: zone, label: wordsFor(zone), about: timeIn(zone) });

const wordsFor = (zone: string): string => zone.replaceAll('_', ' ');

function timeIn(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone, hour: 'numeric', minute: '2-digit' }).format(
      new Date(),
    );
  } catch {
    // The server may know zones that this browser does not.
    return '';
  }
}
