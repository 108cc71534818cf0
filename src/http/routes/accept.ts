import Negotiator from 'negotiator';

/**
 * Which of the types an Accept header asks for (RFC 9110, section 12.5.1). JSON is the default: it is given for no
 * header, for wildcards, for a tie, and for what we do not have at all.
 */
export function preferredType(header: string | undefined, types: readonly string[]): string {
  const json = 'application/json';
  if (header === undefined) return json;
  // Negotiator gives a tie to what is named first, and knows no text/csv with parameters such as a charset.
  const ranges = header.toLowerCase().replace(/;(?!\s*q\s*=)[^;,]*/g, '');
  const accept = ranges.split(',').sort(byName).join();
  return new Negotiator({ headers: { accept } }).mediaType([json, ...types]) ?? json;
}

const byName = (a: string, b: string): number => (a.trim() < b.trim() ? -1 : 1);
