import { isOurs, type Plot } from './suite.ts';

/*
 * Drawn without a background, in colours of a middle tone that can be read on a white page and on a dark one: a picture
 * in the repository cannot know which of the two it is on.
 */
const ink = '#6e7781';
const ours = '#2f81f7';
const theirs = '#8c959f';
/** People who see no red or no green can also distinguish them. */
const colours = [ours, '#d1861a', '#8250df', '#1a9c8f', ink];

const width = 820;
const top = 36;
const rowHeight = 30;
const letterWidth = 7.2;
const forNumbers = 70;

/** Horizontal bars, the first on top, each with its number and a line from the lowest round to the highest. */
export function drawPlot({ title, bars }: Plot): string {
  const left = 16 + letterWidth * Math.max(...bars.map(({ label }) => label.length));
  const scale = (width - left - forNumbers) / Math.max(...bars.map(({ max }) => max));
  const rows = bars.flatMap(({ label, median, min, max }, index) => {
    const y = top + index * rowHeight + rowHeight / 2;
    const [low, high] = [left + min * scale, left + max * scale].map((x) => x.toFixed(1));
    const fill = isOurs(label) ? ours : theirs;
    return [
      `<text x="${left - 8}" y="${y + 4}" text-anchor="end">${escapeXml(label)}</text>`,
      `<rect x="${left}" y="${y - 9}" width="${(median * scale).toFixed(1)}" height="18" fill="${fill}"/>`,
      `<path d="M${low} ${y}H${high}M${low} ${y - 5}v10M${high} ${y - 5}v10" stroke="${ink}" stroke-width="2"/>`,
      `<text x="${Number(high) + 8}" y="${y + 4}">${shortNumber(median)}</text>`,
    ];
  });
  return picture(title, top + bars.length * rowHeight + 8, rows);
}

interface Axis {
  from: number;
  to: number;
  ticks: number[];
  show: (value: number) => string;
}

interface Lines {
  title: string;
  x: Axis;
  y: Axis;
  lines: { label: string; points: [x: number, y: number][] }[];
}

/** Lines over common axes, both logarithmic, each named in its colour above them. */
export function drawLines({ title, x, y, lines }: Lines): string {
  const [left, right, ceiling, bottom] = [64, 804, 60, 296];
  const part = ({ from, to }: Axis, value: number) =>
    Math.log10(Math.min(to, Math.max(from, value)) / from) / Math.log10(to / from);
  const px = (value: number) => (left + part(x, value) * (right - left)).toFixed(1);
  const py = (value: number) => (bottom - part(y, value) * (bottom - ceiling)).toFixed(1);
  const grid = (d: string) => `<path d="${d}" stroke="${ink}" stroke-opacity="0.25"/>`;
  let legend = 8;
  const drawn = lines.map(({ label, points }, at) => {
    const colour = colours[at % colours.length];
    const inside = points.filter(([, value]) => value >= y.from);
    const d = inside.map(([a, b], n) => `${n === 0 ? 'M' : 'L'}${px(a)} ${py(b)}`).join('');
    const named = `<text x="${legend}" y="44" fill="${colour}" font-weight="bold">${escapeXml(label)}</text>`;
    legend += 24 + label.length * 7.5;
    return `${named}\n<path d="${d}" fill="none" stroke="${colour}" stroke-width="2"/>`;
  });
  const axes = [
    ...x.ticks.flatMap((tick) => [
      grid(`M${px(tick)} ${ceiling}V${bottom}`),
      `<text x="${px(tick)}" y="${bottom + 18}" text-anchor="middle">${x.show(tick)}</text>`,
    ]),
    ...y.ticks.flatMap((tick) => [
      grid(`M${left} ${py(tick)}H${right}`),
      `<text x="${left - 8}" y="${Number(py(tick)) + 4}" text-anchor="end">${y.show(tick)}</text>`,
    ]),
  ];
  return picture(title, 340, [...axes, ...drawn]);
}

function picture(title: string, height: number, parts: string[]): string {
  const font = `font-family="system-ui, sans-serif" font-size="13" fill="${ink}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ${font}>
<text x="8" y="22" font-size="15" font-weight="bold">${escapeXml(title)}</text>
${parts.join('\n')}
</svg>
`;
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const shortNumber = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 2 });
