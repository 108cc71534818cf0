import type { Machine } from './machine.ts';

/** One subject that is measured on its own: `bench/<name>/suite.ts` exports it as `suite`. */
export interface Suite {
  title: string;
  run(options: RunOptions): Promise<Findings>;
}

export interface RunOptions {
  /** Rounds that count; a first one that warms up comes before them. */
  rounds: number;
  /** Small counts, to see whether it works. The numbers mean nothing. */
  quick: boolean;
  /** Progress, for whoever watches. */
  say: (line: string) => void;
}

/** What a suite found out, ready to be written down. Texts are Markdown. */
export interface Findings {
  intro: string;
  /** What a reader needs to judge the numbers: counts, concurrency, sizes. */
  settings: Record<string, string | number>;
  /** Of what was measured, besides Node and Tenure: `{ 'pg-boss': '12.38.0' }`. */
  versions: Record<string, string>;
  /** Where it is not measured in rounds: what is done instead. */
  measuredAs?: string;
  bars: Bar[];
  sections: Section[];
}

/** What `bench/results/<suite>.json` holds. */
export interface SuiteResult extends Findings {
  suite: string;
  title: string;
  measuredAt: string;
  durationSeconds: number;
  rounds: number;
  machine: Machine;
  /** Of the code that was measured; none outside of a clone, or in results from before it was noted. */
  commit?: string;
}

/** A promise about a number, and whether it was kept. */
export interface Bar {
  text: string;
  target: string;
  measured: string;
  /** Null where it could not be measured here; `measured` says why. */
  met: boolean | null;
}

export interface Section {
  title: string;
  text?: string;
  tables?: Table[];
  plots?: Plot[];
}

export interface Table {
  columns: string[];
  rows: string[][];
}

export type Plot = BarPlot | LinePlot;

interface PlotHead {
  /** Becomes `docs/images/bench-<name>.svg`. */
  name: string;
  title: string;
}

export interface BarPlot extends PlotHead {
  kind: 'bars';
  /** Of the axis, such as `deliveries per second`. */
  unit: string;
  bars: { label: string; value: number; low: number; high: number; ours?: boolean }[];
}

export interface LinePlot extends PlotHead {
  kind: 'lines';
  x: Axis;
  y: Axis;
  lines: { label: string; points: [x: number, y: number][]; ours?: boolean }[];
}

export interface Axis {
  label: string;
  log?: boolean;
}

type Comparison = '≥' | '≤' | '<';

/** A bar for one number, such as `bar('p50', '<', 5, 3.2, (n) => `${n} ms`)`. */
export function bar(
  text: string,
  comparison: Comparison,
  target: number,
  measured: number,
  show: (value: number) => string,
): Bar {
  const met =
    comparison === '≥' ? measured >= target : comparison === '≤' ? measured <= target : measured < target;
  return { text, target: `${comparison} ${show(target)}`, measured: show(measured), met };
}

export const notMeasured = (text: string, target: string, why: string): Bar => ({
  text,
  target,
  measured: `not measured: ${why}`,
  met: null,
});
