import Negotiator from 'negotiator';

const types = ['application/json', 'text/csv'];

/**
 * Whether an Accept header asks for CSV rather than JSON (RFC 9110, section 12.5.1). JSON is the default: it
 * is given for no header, for wildcards, for a tie, and for what we do not have at all.
 */
export function prefersCsv(header: string | undefined): boolean {
  if (header === undefined) return false;
  // Negotiator gives a tie to what is named first, and knows no text/csv with parameters such as a charset.
  const ranges = header.toLowerCase().replace(/;(?!\s*q\s*=)[^;,]*/g, '');
  const accept = ranges.split(',').sort(byName).join();
  return new Negotiator({ headers: { accept } }).mediaType(types) === 'text/csv';
}

const byName = (a: string, b: string): number => (a.trim() < b.trim() ? -1 : 1);
