/** The middle of several rounds and how far they lie apart. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export function spread(values: number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (low === undefined || high === undefined || min === undefined || max === undefined)
    throw new Error('There is nothing to take the median of.');
  return { median: (low + high) / 2, min, max };
}

/** The ratio of `a` to `b` round by round, so that whatever slowed a whole round is in both. */
export function ratio(a: number[], b: number[]): Spread {
  if (a.length !== b.length) throw new Error(`${a.length} rounds cannot be compared with ${b.length}.`);
  return spread(a.map((value, round) => value / (b[round] ?? Number.NaN)));
}

/** Nearest rank, of values in any order. */
export function percentile(values: number[], part: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * part) - 1))] ?? Number.NaN;
}

/** `1.23 (1.10–1.31)`. */
export const showSpread = ({ median, min, max }: Spread): string =>
  `${short(median)} (${short(min)}–${short(max)})`;

/** Three significant digits, with separators above a thousand. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Number(Math.abs(value).toPrecision(3));
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
