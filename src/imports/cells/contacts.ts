import type { PersonName } from './names.ts';
import { plainWord } from './words.ts';

/*
 * E-mail addresses and phone numbers as files write them: one or several in a cell, with or without labels.
 */

/** Longer than any such list. The time to read a cell grows faster than its length. */
const longestList = 1000;

/** The addresses in a cell. A cell without any is passed on, and the schema says what is wrong with it. */
export function emailsIn(text: string): string[] {
  if (text.length > longestList) return [text];
  const found = text
    .replace(/mailto:/gi, ' ')
    .split(/[\s,;|/<>()"]+/)
    .map((part) => part.replace(/^[a-z-]+:/i, '').replace(/^['.]+|['.:]+$/g, ''))
    .filter((part) => part.includes('@'));
  return found.length > 0 ? [...new Set(found)] : [text];
}

const digitsIn = (text: string): number => text.replace(/\D/g, '').length;

/** The kind of a number, written after it: `541-555-0102 cell 541-555-0103 (w)`. */
const label = String.raw`\(?(?:cell|mobile|home|work|office|[chmw])\)?`;
const betweenLabelled = String.raw`(?<=\d\s?${label})\s+(?=[+(]?\d)`;
const between = new RegExp(
  String.raw`[;|\n\r]|,(?=\s*[a-z+(\d])|\s\/\s|\s+(?=[a-z]+:)|${betweenLabelled}`,
  'i',
);

/** The numbers in a cell, mobile phones first. `Mobile: (503) 555-0101, Home: (503) 555-0102` has two. */
export function phonesIn(text: string): string[] {
  if (text.length > longestList) return [text];
  const parts = text
    .replace(/[^\s,;|/<>()]+@[^\s,;|/<>()]+/g, ' ; ')
    .split(between)
    .map((part) => part.trim())
    .filter((part) => digitsIn(part) >= 5);
  const numbers = parts.map((part) => ({
    isMobile: /\b(mobile|cell|handy|mobil|portable|m[oó]vil|celular)\b/i.test(part),
    number: part
      .replace(/^[^\d+(]*:\s*/, '')
      .replace(/^[a-zäöüéó.\s]+(?=[\d+(])/i, '')
      .replace(/\s*\((?:[a-z\s]+)\)$/i, '')
      .replace(new RegExp(`\\s+${label}$`, 'i'), ''),
  }));
  if (numbers.length === 0) return [text];
  numbers.sort((a, b) => Number(b.isMobile) - Number(a.isMobile));
  return [...new Set(numbers.map(({ number }) => number))];
}

export const isEmail = (cell: string): boolean => /^[^\s@]+@[^\s@]+\.[a-z]{2,}/i.test(cell.trim());

/** Digits in groups, as phone numbers are written; neither a date, nor an amount, nor a mere number. */
export function isPhone(cell: string): boolean {
  const [text = ''] = phonesIn(cell);
  if (!/^\+?[\d\s().\-/]+(\s*(ext|x)\.?\s*\d+)?$/i.test(text)) return false;
  if (/^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/.test(text)) return false;
  const digits = digitsIn(text);
  return (
    digits >= 7 &&
    digits <= 15 &&
    (/^\+|[\s().\-/]/.test(text) || digits >= 10) &&
    !/^\d+\.\d{1,2}$/.test(text)
  );
}

/**
 * Gives each person one of several addresses: the one in which their name occurs, or else the next one that contains
 * nobody else's name. A single address beside several people belongs to the first of them, unless it contains another's
 * name.
 */
export function shareEmails(people: PersonName[], emails: string[]): (string | null)[] {
  const given: (string | null)[] = people.map(() => null);
  const left = [...emails];
  const take = (at: number, fits: (local: string) => boolean) => {
    const index = left.findIndex((email) => fits(plainWord(email.split('@')[0] ?? '')));
    if (given[at] === null && index !== -1) given[at] = left.splice(index, 1)[0] ?? null;
  };
  const first = ({ first_name }: PersonName) => plainWord(first_name.split(' ')[0] ?? '');
  const last = ({ last_name }: PersonName) => plainWord(last_name);
  people.forEach((person, at) => {
    take(at, (local) => first(person).length > 1 && local.includes(first(person)));
  });
  people.forEach((person, at) => {
    const isOnly = people.filter((other) => last(other) === last(person)).length === 1;
    take(at, (local) => isOnly && last(person).length > 2 && local.includes(last(person)));
  });
  people.forEach((_, at) => {
    take(at, () => true);
  });
  return given;
}
