import type { Machine } from './machine.ts';
import { ratio, type Spread, short, spread } from './stats.ts';

/** One subject, measured on its own: `bench/suites/<name>.ts` exports it as `suite`. */
export interface Suite {
  title: string;
  /** Rounds that count, unless the command line says otherwise. */
  rounds: number;
  run(options: RunOptions): Promise<Findings>;
}

export interface RunOptions {
  rounds: number;
  /** Small counts, to see whether it works. The numbers mean nothing. */
  quick: boolean;
  /** Shows progress. */
  say: (line: string) => void;
}

/** What a suite found. Texts are Markdown. */
interface Findings {
  intro: string;
  /** What a reader needs to judge the numbers: counts, concurrency, sizes. */
  settings: Record<string, string | number>;
  /** The versions of what was measured, besides Node and Tenure: `{ 'pg-boss': '12.38.0' }`. */
  versions: Record<string, string>;
  bars: Bar[];
  sections: Section[];
}

/** What `bench/results/<suite>.json` holds. */
export interface SuiteResult extends Findings {
  title: string;
  measuredAt: string;
  durationSeconds: number;
  rounds: number;
  machine: Machine;
  /** The commit of the measured code; none outside a clone. */
  commit?: string;
}

/** A promise about a number, and whether it was kept. */
export interface Bar {
  text: string;
  target: string;
  measured: string;
  /** Null if it could not be measured here; `measured` says why. */
  met: boolean | null;
}

export interface Section {
  title: string;
  text?: string;
  columns: string[];
  rows: string[][];
  plot?: Plot;
}

/** One horizontal bar for each contender, with a line from its lowest round to its highest. */
export interface Plot {
  /** Becomes `docs/images/bench-<name>.svg`. */
  name: string;
  title: string;
  bars: ({ label: string } & Spread)[];
}

/** What each contender did, round by round. */
export type Samples<Key extends string> = Map<string, Record<Key, number>[]>;

export const isOurs = (name: string): boolean => name.startsWith('Tenure');

export function valuesOf<Key extends string>(samples: Samples<Key>, name: string, key: Key): number[] {
  const found = samples.get(name);
  if (!found) throw new Error(`${name} was not measured.`);
  return found.map((sample) => sample[key]);
}

/** A row for each contender, with the median of each value over the rounds. `plotted` draws the first column. */
export function section<Key extends string>(
  title: string,
  samples: Samples<Key>,
  columns: Record<Key, string>,
  plotted?: { name: string; title: string },
): Section {
  const names = [...samples.keys()];
  const keys = Object.keys(columns) as Key[];
  const spreadOf = (name: string, key: Key) => spread(valuesOf(samples, name, key));
  // A group of processes that does not exist has used no time at all.
  const cell = ({ median }: Spread) => (median === 0 ? '–' : short(median));
  const [first] = keys;
  return {
    title,
    columns: ['', ...keys.map((key) => columns[key])],
    rows: names.map((name) => [
      isOurs(name) ? `**${name}**` : name,
      ...keys.map((key) => cell(spreadOf(name, key))),
    ]),
    ...(plotted &&
      first && {
        plot: { ...plotted, bars: names.map((name) => ({ label: name, ...spreadOf(name, first) })) },
      }),
  };
}

type Comparison = '≥' | '≤' | '<';

/** Such as `bar('p50', '<', 5, 'ms', spread(times))`. The median counts; the spread is shown. */
export function bar(
  text: string,
  comparison: Comparison,
  target: number,
  unit: string,
  measured: Spread | number,
): Bar {
  const { median, min, max } = typeof measured === 'number' ? spread([measured]) : measured;
  const met = comparison === '≥' ? median >= target : comparison === '≤' ? median <= target : median < target;
  const around = min === max ? '' : ` (${short(min)}–${short(max)})`;
  return {
    text,
    target: `${comparison} ${short(target)} ${unit}`,
    measured: `${short(median)} ${unit}${around}`,
    met,
  };
}

/** How one contender compares with another, round by round. One that was not measured leaves the bar open. */
export function ratioBar<Key extends string>(
  text: string,
  samples: Samples<Key>,
  key: Key,
  [ours, theirs]: [ours: string, theirs: string],
  [comparison, target]: [Comparison, number],
): Bar {
  if (!samples.has(theirs))
    return { text, target: `${comparison} ${short(target)} ×`, measured: 'not installed here', met: null };
  const measured = ratio(valuesOf(samples, ours, key), valuesOf(samples, theirs, key));
  return bar(text, comparison, target, '×', measured);
}
