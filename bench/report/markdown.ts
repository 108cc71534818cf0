import type { Bar, Section, SuiteResult, Table } from '../lib/suite.ts';

/** The whole page. Pure: the same results and notes give the same text. */
export function renderPage(results: SuiteResult[], images: string, notes: string): string {
  return `${[
    '# Benchmarks',
    '<!-- Written by `npm run bench` from bench/results; do not edit. -->',
    about,
    ...(results.length === 0 ? ['Nothing has been measured yet.'] : [summary(results)]),
    ...results.flatMap((result) => renderSuite(result, images)),
    notes.trim(),
  ].join('\n\n')}\n`;
}

const about = `Tenure beside its peers, measured by \`npm run bench\` ([how](../bench/README.md)). Contenders are
measured in turn, round after round, on one machine and one PostgreSQL with the same settings; numbers are medians
over the rounds, with the lowest and the highest in parentheses. Read the ratios rather than the rates: a ratio is
taken within each round, so what slowed the machine slowed both. Processor time is per operation, in microseconds.`;

function summary(results: SuiteResult[]): string {
  const bars = results.flatMap(({ title, bars: all }) => all.map((bar) => ({ title, ...bar })));
  if (bars.length === 0) return 'Nothing that was measured so far has a bar to meet.';
  const missed = bars.filter(({ met }) => met === false).length;
  const open = bars.filter(({ met }) => met === null).length;
  const counted = `${bars.length - missed - open} of ${bars.length} bars are met${missed > 0 ? `, **${missed} missed**` : ''}${open > 0 ? `, ${open} not measured` : ''}.`;
  const table = {
    columns: ['subject', 'bar', 'target', 'measured', ''],
    rows: bars.map((bar) => [bar.title, bar.text, bar.target, bar.measured, verdict(bar)]),
  };
  return `## What was promised\n\n${counted}\n\n${renderTable(table)}`;
}

const verdict = ({ met }: Bar): string => (met === null ? '–' : met ? 'met' : '**missed**');

function renderSuite(result: SuiteResult, images: string): string[] {
  return [
    `## ${result.title}`,
    result.intro,
    ...result.sections.flatMap((section) => renderSection(section, images)),
    circumstances(result),
  ];
}

function renderSection({ title, text, tables = [], plots = [] }: Section, images: string): string[] {
  return [
    `### ${title}`,
    ...(text ? [text] : []),
    ...plots.map(({ name, title: alt }) => `![${alt}](${images}/bench-${name}.svg)`),
    ...tables.map(renderTable),
  ];
}

function circumstances({
  measuredAt,
  durationSeconds,
  rounds,
  measuredAs,
  machine,
  commit,
  versions,
  settings,
}: SuiteResult): string {
  const { processor, cores, coresTogether, memoryGiB, system, loadBefore } = machine;
  const together = coresTogether ? ` that together do ${coresTogether} times the work of one` : '';
  const duration =
    durationSeconds < 120 ? `${durationSeconds} s` : `${Math.round(durationSeconds / 60)} minutes`;
  return [
    `- Measured ${measuredAt.slice(0, 16).replace('T', ' ')} UTC in ${duration}, ${measuredAs ?? `${rounds === 1 ? 'one round' : `${rounds} rounds`} after one of warming up`}.`,
    `- Machine: ${processor}, ${cores} cores${together}, ${memoryGiB} GiB, ${system}; load before the start ${loadBefore}.`,
    `- Versions: ${list(versions, ' ')}${commit ? `, at commit ${commit}` : ''}.`,
    `- Settings: ${list(settings, ': ')}.`,
  ].join('\n');
}

const list = (entries: Record<string, string | number>, between: string): string =>
  Object.entries(entries)
    .map(
      ([name, value]) =>
        `${name}${between}${typeof value === 'number' ? value.toLocaleString('en-US') : value}`,
    )
    .join(', ');

/** The first column is text, the others mostly numbers. */
function renderTable({ columns, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const isNumeric = columns.map(
    (_, index) => index > 0 && rows.every((row) => /^[\d–]/.test(row[index] ?? '')),
  );
  const rule = `|${isNumeric.map((right) => (right ? '---:' : '---')).join('|')}|`;
  return [line(columns), rule, ...rows.map(line)].join('\n');
}
