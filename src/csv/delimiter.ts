const candidates = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof candidates)[number];

/** Enough lines to get past a title and see some rows. */
const lines = 40;

/**
 * Finds what separates the cells, from the beginning of a file: what Excel's `sep=;` says; otherwise the character that
 * occurs in most lines, and then most often, outside quotes.
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

/** The first lines, without what is in quotes (line ends in quotes included). */
function unquotedLines(head: string): string[] {
  return head
    .replace(/"(?:[^"]|"")*("|$)/g, '')
    .split(/\r\n|\n|\r/)
    .slice(0, lines);
}
