const candidates = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof candidates)[number];

/** Enough lines to get past a title and see some rows. */
const lines = 40;

/**
 * Finds the character that separates cells, from the beginning of a file: the one in Excel's `sep=;`, or else the one
 * that occurs outside quotes in most lines, and then most often.
 */
export function detectDelimiter(head: string): Delimiter {
  const said = /^sep=([,;\t|])\r?\n/i.exec(head)?.[1];
  if (said) return said as Delimiter;
  const counts = candidates.map((delimiter) => ({ delimiter, inLines: 0, total: 0 }));
  for (const line of unquotedLines(head)) {
    for (const count of counts) {
      const found = line.split(count.delimiter).length - 1;
      count.total += found;
      if (found > 0) count.inLines += 1;
    }
  }
  counts.sort((a, b) => b.inLines - a.inLines || b.total - a.total);
  return counts[0]?.delimiter ?? ',';
}

/** The first lines, without quoted text (and its line ends). */
function unquotedLines(head: string): string[] {
  return head
    .replace(/"(?:[^"]|"")*("|$)/g, '')
    .split(/\r\n|\n|\r/)
    .slice(0, lines);
}
