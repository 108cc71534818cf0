import { readFileSync } from 'node:fs';

/** What is in RAM of one process, in MB. */
export const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The same without what it shares with other processes. */
export function privateMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = [...rollup.matchAll(/^Private_\w+:\s+(\d+) kB$/gm)].map(([, size]) => Number(size));
  return sum(kilobytes) / 1024;
}

/*
 * Whether memory grows. It goes up and down with the garbage collector, so neighbouring samples are alike. The means
 * of a few long blocks are nearly independent; a line is laid through these.
 */

export interface Trend {
  /** Per hour. */
  slope: number;
  /** The slope is within this much with 95 % certainty. */
  bound: number;
}

const blocks = 8;
/** Student's t for 6 degrees of freedom (blocks - 2), both sides, 95 %. */
const t = 2.447;

export function trendOf(samples: [seconds: number, value: number][]): Trend {
  const [first, last] = [samples[0]?.[0] ?? 0, samples.at(-1)?.[0] ?? 0];
  const length = (last - first) / blocks;
  const points = Array.from({ length: blocks }, (_, block): [number, number] => {
    const own = samples.filter(([at]) => Math.min(blocks - 1, Math.floor((at - first) / length)) === block);
    return [mean(own.map(([at]) => at / 3600)), mean(own.map(([, value]) => value))];
  });
  return line(points);
}

/** Least squares. */
function line(points: [x: number, y: number][]): Trend {
  const x = mean(points.map(([each]) => each));
  const y = mean(points.map(([, each]) => each));
  const spread = sum(points.map(([each]) => (each - x) ** 2));
  const slope = sum(points.map(([eachX, eachY]) => (eachX - x) * (eachY - y))) / spread;
  const rest = sum(points.map(([eachX, eachY]) => (eachY - y - slope * (eachX - x)) ** 2));
  return { slope, bound: t * Math.sqrt(rest / (points.length - 2) / spread) };
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: number[]): number => {
  if (values.length === 0) throw new Error('There are too few samples to tell a trend.');
  return sum(values) / values.length;
};
