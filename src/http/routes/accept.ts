import Negotiator from 'negotiator';

/**
 * The one of these types that an Accept header prefers (RFC 9110, section 12.5.1). JSON is the default: for a missing
 * header, for wildcards, for a tie, and if we have nothing that was asked for.
 */
export function preferredType(header: string | undefined, types: readonly string[]): string {
  const json = 'application/json';
  if (header === undefined) return json;
  // In a tie, Negotiator picks the type that is named first. It does not recognise text/csv with parameters such as a
  // charset.
  const ranges = header.toLowerCase().replace(/;(?!\s*q\s*=)[^;,]*/g, '');
  const accept = ranges.split(',').sort(byName).join();
  return new Negotiator({ headers: { accept } }).mediaType([json, ...types]) ?? json;
}

const byName = (a: string, b: string): number => (a.trim() < b.trim() ? -1 : 1);
