import { isOurs, type Plot } from './suite.ts';

/*
 * Drawn without a background, in colours of a middle tone that can be read on a white page and on a dark one: a
 * picture on a page of the repository does not learn which of the two it is on.
 */
export const ink = '#6e7781';
const ours = '#2f81f7';
const theirs = '#8c959f';

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
  const height = top + bars.length * rowHeight + 8;
  const font = `font-family="system-ui, sans-serif" font-size="13" fill="${ink}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ${font}>
<text x="8" y="22" font-size="15" font-weight="bold">${escapeXml(title)}</text>
${rows.join('\n')}
</svg>
`;
}

export const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export const shortNumber = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 2 });
