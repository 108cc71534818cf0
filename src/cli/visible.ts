/**
 * Characters that a terminal obeys instead of showing: control characters, which can move the cursor, set the title or
 * answer in the user's name, and those that change the direction of the text around them.
 */
const obeyed = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/gu;

const escaped = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** Makes other people's text safe to print in a line for a terminal. */
export const visible = (text: string): string => text.replace(obeyed, escaped);

/** Like visible(), for texts that we compose: it keeps their line ends and tabs. */
export const visibleLines = (text: string): string =>
  text.replace(obeyed, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
