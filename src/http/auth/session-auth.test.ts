import { expect, test } from 'vitest';
import { eachCookieOnce } from './session-auth.ts';

test.each([
  ['a=1; b=2', 'a=1; b=2'],
  ['a =1;a=2', 'a=1'],
  ['a\t= 1 ; b=c=d==; c', 'a=1; b=c=d=='],
  ['', ''],
])('of the cookies %j each counts once', (header, read) => {
  expect(eachCookieOnce(header)).toBe(read);
});
