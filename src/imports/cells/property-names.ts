/*
 * Properties and addresses as files name them.
 */

/** Longer than any address. The time to read one grows faster than its length. */
const longestAddress = 300;

/** Parts of an address within a property's name: `Maple Court - 12 Maple St Portland, OR 97201`. */
interface PropertyName {
  name: string;
  address?: string;
  city?: string;
  state?: string;
  postal_code?: string;
}

type Address = Omit<PropertyName, 'name'> & { address: string };

const streetEnd =
  /^(.*\b(?:st|street|ave|avenue|rd|road|blvd|boulevard|dr|drive|ln|lane|ct|court|way|pl|place|ter|terrace|cir|circle|hwy|highway|pkwy|parkway|sq|square|trl|trail|loop|row)\.?(?:\s+(?:n|s|e|w|ne|nw|se|sw|apt|unit|#)\.?(?:\s*\d\w*)?)?),?\s+(.+)$/i;

const isStreet =
  /^\d+\w?\s.*\b(st|street|ave|avenue|rd|road|blvd|dr|drive|ln|lane|ct|way|pl|ter|cir|hwy|pkwy)\b/i;

/** Reads a property's name as a sheet has it, with the address if it contains one. */
export function readPropertyName(text: string): PropertyName {
  if (text.length > longestAddress) return { name: text };
  const clean = text
    .replace(/^\s*-+>\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  const [, name, rest = ''] = /^(.+?)\s+[-–—]\s+(\d.*)$/.exec(clean) ?? [];
  const [, before = '', state, postal_code] =
    /^(.*?),?\s+([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)$/.exec(rest || clean) ?? [];
  if (state === undefined || postal_code === undefined) {
    if (name !== undefined && isStreet.test(rest)) return { name, address: rest };
    return isStreet.test(clean) ? { name: clean, address: clean } : { name: clean };
  }
  const [, street, city] = streetEnd.exec(before) ?? /^(.*),\s*([^,]+)$/.exec(before) ?? [];
  const parts = street && city ? { address: street, city } : { address: before };
  // If a house is listed by its address alone, its name is the street.
  return { name: name ?? parts.address, ...parts, state, postal_code };
}

/**
 * The parts of an address in one line: `44 Birch Ln, Unit 1A, Dayton, OH 45402`, `7 Oak Row, Salem OR`, `Hauptstraße 5,
 * 10115 Berlin`. Null if it is only a street, or written in another way.
 */
export function readAddress(text: string): Address | null {
  if (text.length > longestAddress) return null;
  const clean = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/,? (?:USA?|United States)$/, '');
  const [, street, city, state, zip] =
    /^(.*\d.*),\s*([^,\d]+?),?\s+([A-Z]{2})(?:,?\s+(\d{5}(?:-\d{4})?))?$/.exec(clean) ?? [];
  if (street !== undefined && city !== undefined && state !== undefined)
    return { address: street, city, state, ...(zip === undefined ? {} : { postal_code: zip }) };
  const [, line, postal_code, town] = /^(.*\d.*),\s*(\d{5})\s+(\p{L}[^,\d]*)$/u.exec(clean) ?? [];
  return line !== undefined && postal_code !== undefined && town !== undefined
    ? { address: line, city: town, postal_code }
    : null;
}
