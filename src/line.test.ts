import { expect, test } from 'vitest';
import { Line, type Place } from './line.ts';

const a = { name: 'a' };
const b = { name: 'b' };
const c = { name: 'c' };

test('things stand in the order in which they came', () => {
  const line = new Line<object>();
  const first = line.add(a);
  const second = line.add(b);
  line.add(c);
  expect([...line]).toEqual([a, b, c]);
  expect(line.size).toBe(3);
  line.remove(second);
  expect([...line]).toEqual([a, c]);
  line.remove(first);
  line.add(b);
  expect([...line]).toEqual([c, b]);
  expect(line.size).toBe(2);
});

test('whoever leaves twice leaves once', () => {
  const line = new Line<object>();
  const place = line.add(a);
  line.add(b);
  line.remove(place);
  line.remove(place);
  expect([...line]).toEqual([b]);
  expect(line.size).toBe(1);
});

test('one thing may have several places', () => {
  const line = new Line<object>();
  const first = line.add(a);
  line.add(a);
  line.remove(first);
  expect([...line]).toEqual([a]);
});

test('a place that was left leads nowhere', () => {
  const line = new Line<object>();
  const place = line.add(a);
  line.add(b);
  line.remove(place);
  expect(place).toEqual({ item: undefined, before: place, behind: place });
});

test('who is being looked at may leave, or go to the end', () => {
  const line = new Line<object>();
  const places = new Map<object, Place<object>>();
  for (const item of [a, b, c]) places.set(item, line.add(item));
  const seen: object[] = [];
  for (const item of line) {
    seen.push(item);
    const place = places.get(item);
    if (place !== undefined) line.remove(place);
    places.delete(item);
    if (item === a && seen.length === 1) line.add(a);
  }
  expect(seen).toEqual([a, b, c, a]);
  expect([...line]).toEqual([a]);
});

test('looking ends where the next one has left meanwhile', () => {
  const line = new Line<object>();
  line.add(a);
  const next = line.add(b);
  line.add(c);
  const seen: object[] = [];
  for (const item of line) {
    seen.push(item);
    line.remove(next);
  }
  expect(seen).toEqual([a]);
});
