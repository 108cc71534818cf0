import { expect, test } from 'vitest';
import { nowhere, UnorderedSet } from './unordered-set.ts';

const member = (name: string) => ({ name, index: nowhere });

test('members are added, and deleted in any order and only once', () => {
  const set = new UnorderedSet<ReturnType<typeof member>>();
  const [a, b, c] = [member('a'), member('b'), member('c')];
  for (const each of [a, b, c]) set.add(each);
  set.delete(a);
  set.delete(a);
  expect(new Set(set.all())).toEqual(new Set([b, c]));
  set.delete(c);
  set.add(a);
  expect(new Set(set.all())).toEqual(new Set([a, b]));
  for (const each of set.all()) set.delete(each);
  expect([set.size, set.all()]).toEqual([0, []]);
  set.delete(member('never in it'));
  expect(set.size).toBe(0);
});
