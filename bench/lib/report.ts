import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bar, Section, SuiteResult } from './suite.ts';

/** In the order of the report. Each is bench/suites/<name>.ts. */
export const suiteNames = ['delivery', 'latency', 'fairness', 'api', 'growth', 'memory', 'ledger'];

export const readResults = (folder: string): SuiteResult[] =>
  suiteNames
    .map((name) => join(folder, `${name}.json`))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as SuiteResult);

/** The whole page. Pure: the same results and notes give the same text. */
export function renderPage(results: SuiteResult[], images: string, notes: string[]): string {
  const parts = [
    '# Benchmarks\n<!-- Written by `npm run bench` from bench/results and bench/tricks.md; do not edit. -->',
    `${about}\n${machines(results)}`,
    circumstances(results),
    bars(results),
    ...results.flatMap((result) => suite(result, images)),
    ...notes.map((note) => note.trim()),
  ];
  return `${parts.join('\n\n')}\n`;
}

const about = `Tenure beside its peers, measured by \`npm run bench\`; [bench/README.md](../bench/README.md) says how it
is kept fair. Contenders are measured in turn, round after round, on one machine with PostgreSQL, receiver and load.
Numbers are medians over the rounds. Ratios are taken within each round, so that what slowed the machine slowed both;
their lowest and highest round are in parentheses. Read the ratios rather than the rates.`;

function machines(results: SuiteResult[]): string {
  const lines = results.map(
    ({ machine: { processor, cores, memoryGiB, system } }) =>
      `${processor}, ${cores} cores, ${memoryGiB} GiB, ${system}`,
  );
  const on = [...new Set(lines)].join('; ');
  return wrapped(`Measured on: ${on}.`);
}

/** When and how each was measured. */
function circumstances(results: SuiteResult[]): string {
  const rows = results.map(
    ({ title, measuredAt, durationSeconds, rounds, machine, commit, versions, settings }) => [
      title,
      `${measuredAt.slice(0, 16).replace('T', ' ')} UTC${commit ? ` at ${commit}` : ''}`,
      durationSeconds < 120 ? `${durationSeconds} s` : `${Math.round(durationSeconds / 60)} minutes`,
      `${rounds}`,
      `${machine.loadBefore}`,
      list(settings, ': '),
      list(versions, ' '),
    ],
  );
  return table(['suite', 'measured', 'took', 'rounds', 'load before', 'settings', 'versions'], rows);
}

function bars(results: SuiteResult[]): string {
  const all = results.flatMap(({ title, bars: own }) => own.map((bar) => ({ title, ...bar })));
  const count = (met: boolean | null) => all.filter((bar) => bar.met === met).length;
  const [missed, open] = [count(false), count(null)];
  const counted = [
    `${count(true)} of ${all.length} bars are met`,
    ...(missed > 0 ? [`**${missed} missed**`] : []),
    ...(open > 0 ? [`${open} not measured`] : []),
  ];
  const rows = all.map((bar) => [bar.title, bar.text, bar.target, bar.measured, verdict(bar)]);
  return `## The bars\n\n${counted.join(', ')}.\n\n${table(['suite', 'bar', 'target', 'measured', ''], rows)}`;
}

const verdict = ({ met }: Bar): string => (met === null ? '–' : met ? 'met' : '**missed**');

function suite(result: SuiteResult, images: string): string[] {
  const sections = result.sections.flatMap(({ title, text, plot, columns, rows }: Section) => {
    const [first = '', ...others] = [
      ...(text ? [wrapped(text)] : []),
      ...(plot ? [`![${plot.title}](${images}/bench-${plot.name}.svg)`] : []),
      table(columns, rows),
    ];
    // Without empty lines after titles, so that the page stays short.
    return [result.sections.length > 1 ? `### ${title}\n${first}` : first, ...others];
  });
  return [`## ${result.title}\n${wrapped(result.intro)}`, ...sections];
}

const list = (entries: Record<string, string | number>, between: string): string =>
  Object.entries(entries)
    .map(
      ([name, value]) =>
        `${name}${between}${typeof value === 'number' ? value.toLocaleString('en-US') : value}`,
    )
    .join(', ');

/** The first column is text; others are aligned to the right where all are numbers. */
export function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rules = columns.map((_, index) =>
    index > 0 && rows.every((row) => /^[\d–][\d.,–]*$/.test(row[index] ?? '')) ? '---:' : '---',
  );
  return [line(columns), `|${rules.join('|')}|`, ...rows.map(line)].join('\n');
}

const lineWidth = 118;

/** Wraps paragraphs as in all our documents, whatever numbers they contain. */
export const wrapped = (text: string): string =>
  text.split(/\s+/).reduce((page, word) => {
    const lineLength = page.length - (page.lastIndexOf('\n') + 1);
    return page === '' ? word : `${page}${lineLength + 1 + word.length > lineWidth ? '\n' : ' '}${word}`;
  }, '');
