import type { DateOrder } from '../cells/dates.ts';
import { foreign } from '../cells/foreign.ts';
import { plainWord } from '../cells/words.ts';
import { type PresetName, presetOf } from './presets.ts';

/** The order of day and month where the file comes from, and how that is known. */
export interface DateHabit {
  order: DateOrder;
  note: string;
}

/** Products from the United States. */
const monthFirst = new Set<PresetName | null>(['Buildium', 'AppFolio', 'DoorLoop', 'Rentec']);
const foreignWords = new Set(Object.values(foreign).flat().map(plainWord));
/** Several are needed, because some words are also English, such as Lot and Surface. */
const enoughWords = 3;

/**
 * The order of day and month according to the headers, for a file in which no date shows it. Null if they do not tell.
 */
export function dateHabitIn(columns: { header: string; field: unknown }[]): DateHabit | null {
  const preset = presetOf(columns.map(({ header }) => header));
  if (monthFirst.has(preset))
    return { order: 'mdy', note: `Dates are read month first, as ${preset} writes them.` };
  const known = columns.filter(({ field }) => field !== null);
  const count = known.filter(({ header }) => foreignWords.has(plainWord(header))).length;
  if (count < enoughWords || count * 2 < known.length) return null;
  return {
    order: 'dmy',
    note: 'Dates are read day first, as in sheets with German, French or Spanish headers.',
  };
}
