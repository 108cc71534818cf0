/**
 * Whether an Accept header asks for CSV rather than JSON (RFC 9110, section 12.5.1). JSON is the default: it
 * is given for no header, for wildcards, for a tie, and for what we do not have at all.
 */
export function prefersCsv(accept: string | undefined): boolean {
  if (accept === undefined || !/csv|text\/\*/i.test(accept)) return false;
  const ranges = readRanges(accept);
  const csv = qualityOf('text', 'csv', ranges);
  const json = qualityOf('application', 'json', ranges);
  if (csv.quality !== json.quality) return csv.quality > json.quality;
  // `text/csv, */*` names one and takes anything else in need.
  return csv.quality > 0 && csv.specificity === 2 && json.specificity < 2;
}

interface Range {
  type: string;
  subtype: string;
  quality: number;
}

function readRanges(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const [, type, subtype] = /^([^\s/]+)\/([^\s/]+)$/.exec(name) ?? [];
    if (type === undefined || subtype === undefined) return [];
    const given = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    return [{ type, subtype, quality: given === undefined ? 1 : readQuality(given) }];
  });
}

/** A q that cannot be read is as good as none. */
function readQuality(text: string): number {
  return /^(0(\.\d*)?|1(\.0*)?|\.\d+)$/.test(text) ? Number(text) : 1;
}

/** The most specific range that covers the type decides. */
function qualityOf(type: string, subtype: string, ranges: Range[]): { quality: number; specificity: number } {
  let best = { quality: 0, specificity: -1 };
  for (const range of ranges) {
    const specificity = specificityFor(range, type, subtype);
    if (specificity > best.specificity) best = { quality: range.quality, specificity };
  }
  return best;
}

function specificityFor(range: Range, type: string, subtype: string): number {
  if (range.type === type && range.subtype === subtype) return 2;
  if (range.type === type && range.subtype === '*') return 1;
  return range.type === '*' && range.subtype === '*' ? 0 : -1;
}
