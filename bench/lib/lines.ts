import { escapeXml, ink, shortNumber } from './plot.ts';

export interface Axis {
  label: string;
  from: number;
  to: number;
  ticks: number[];
  isLog?: boolean;
  show?: (value: number) => string;
}

export interface Lines {
  title: string;
  x: Axis;
  y: Axis;
  lines: { label: string; points: [x: number, y: number][] }[];
}

/** Middle tones, as in plot.ts, that can also be told apart by people who see no red or no green. */
const colours = ['#2f81f7', '#d1861a', '#8250df', '#1a9c8f', '#6e7781'];
const [width, height] = [820, 340];
const frame = { left: 64, right: 16, top: 60, bottom: 44 };

/** Lines over a common axis, each named in its colour above them. */
export function drawLines({ title, x, y, lines }: Lines): string {
  const place = ({ from, to, isLog }: Axis, value: number): number => {
    const scale = isLog ? Math.log10 : Number;
    return (scale(Math.min(to, Math.max(from, value))) - scale(from)) / (scale(to) - scale(from));
  };
  const right = width - frame.right;
  const bottom = height - frame.bottom;
  const px = (value: number) => (frame.left + place(x, value) * (right - frame.left)).toFixed(1);
  const py = (value: number) => (bottom - place(y, value) * (bottom - frame.top)).toFixed(1);
  const show = (axis: Axis, value: number) => escapeXml(axis.show?.(value) ?? shortNumber(value));
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
      grid(`M${px(tick)} ${frame.top}V${bottom}`),
      `<text x="${px(tick)}" y="${bottom + 18}" text-anchor="middle">${show(x, tick)}</text>`,
    ]),
    ...y.ticks.flatMap((tick) => [
      grid(`M${frame.left} ${py(tick)}H${right}`),
      `<text x="${frame.left - 8}" y="${Number(py(tick)) + 4}" text-anchor="end">${show(y, tick)}</text>`,
    ]),
    `<text x="${right}" y="${height - 8}" text-anchor="end">${escapeXml(x.label)}</text>`,
    `<text x="${right}" y="22" text-anchor="end">${escapeXml(y.label)}</text>`,
  ];
  const font = `font-family="system-ui, sans-serif" font-size="13" fill="${ink}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ${font}>
<text x="8" y="22" font-size="15" font-weight="bold">${escapeXml(title)}</text>
${axes.join('\n')}
${drawn.join('\n')}
</svg>
`;
}
