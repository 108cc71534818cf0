import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { invalidField } from '../errors.ts';

/** Throws a 400 on the field if others would try this password early. */
export async function refuseGuessable(password: string, person: Person, field: string): Promise<void> {
  const reason = await whyGuessable(password, person);
  if (reason !== null) throw invalidField(field, reason);
}

interface Person {
  name?: string;
  email: string;
}

/**
 * Why a password is easy to guess, or null. Capitals do not count, nor do digits and signs around a word: people add
 * those to a password that was refused, and attackers know it.
 */
export async function whyGuessable(password: string, person: Person): Promise<string | null> {
  const given = password.toLowerCase();
  const tried = [given, withoutSigns(given), withoutEnds(given)];
  if (tried.some((text) => wordsAbout(person).includes(text)))
    return 'Must not be your name, your e-mail address or the name of this service.';
  const common = await commonPasswords();
  // The text is compared in the form that the file has. Nothing in the file needs escaping, so a text that does is not
  // in it.
  if (new Set(given).size < 3 || tried.some((text) => common.includes(JSON.stringify(text))))
    return 'Is one of the passwords that are guessed first; choose another one.';
  return null;
}

function wordsAbout({ name = '', email }: Person): string[] {
  const words = [
    email,
    email.replace(/@.*/, ''),
    name,
    name.replaceAll(/\s/g, ''),
    ...name.split(/\s+/),
    'tenure',
  ];
  return words
    .map((word) => word.toLowerCase())
    .flatMap((word) => [word, withoutEnds(word)])
    .filter((word) => word !== '');
}

/** Removes the signs around `1q2w3e4r5t!`. */
const withoutSigns = (text: string): string => text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Removes what is around the word in `!Sunshine2024`. */
const withoutEnds = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

let list: string | undefined;

/**
 * A JSON array of 49,000 short texts in lower case, read when the first password is set. Searched as text, it takes 0.6
 * MB and a millisecond, compared with a hundred for the hash. As a Set it would take 2.5 MB, and 50 ms at first.
 */
async function commonPasswords(): Promise<string> {
  list ??= await readFile(resolve('@zxcvbn-ts/language-common/src/passwords.json'), 'latin1');
  return list;
}

const { resolve } = createRequire(import.meta.url);
