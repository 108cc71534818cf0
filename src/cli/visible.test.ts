import { expect, test } from 'vitest';
import { visible, visibleLines } from './visible.ts';

test.each([
  ['\x1b[2J\x1b]0;owned\x07', '\\u001b[2J\\u001b]0;owned\\u0007'],
  ['\x9b31mred', '\\u009b31mred'],
  ['a\rb\nc\td', 'a\\u000db\\u000ac\\u0009d'],
  ['abc\u202edef\u2066', 'abc\\u202edef\\u2066'],
  ['Zoë Müller 日本 🏠', 'Zoë Müller 日本 🏠'],
])('%j is printed as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('what we put together keeps its lines', () => {
  expect(visibleLines('one\n\ttwo\x1b[1m')).toBe('one\n\ttwo\\u001b[1m');
});

test('JSON stays JSON, and says the same', () => {
  const value = { name: 'a\x1b[2J\x9b\u202e"\\\n' };
  const text = visible(JSON.stringify(value));
  for (const character of ['\x1b', '\x9b', '\u202e']) expect(text).not.toContain(character);
  expect(JSON.parse(text)).toEqual(value);
});
