import { expect, test } from 'vitest';
import { Attempts, SignUps } from './attempts.ts';

const start = Date.UTC(2026, 10, 15);
const at = (seconds: number) => new Date(start + seconds * 1000);
const refused = expect.objectContaining({ status: 429 });

test('one person from one place has ten attempts, then one every half minute', () => {
  const attempts = new Attempts();
  for (let time = 0; time < 10; time++) attempts.begin('ada@example.com', '1.1.1.1', at(0));
  expect(() => attempts.begin('ada@example.com', '1.1.1.1', at(1))).toThrow(refused);
  expect(() => attempts.begin('ada@example.com', '1.1.1.1', at(29))).toThrow(refused);
  attempts.begin('ada@example.com', '1.1.1.1', at(31));
  expect(() => attempts.begin('ada@example.com', '1.1.1.1', at(32))).toThrow(refused);
});

test('a refusal says how long to wait', () => {
  const attempts = new Attempts();
  for (let time = 0; time < 10; time++) attempts.begin('ada@example.com', '1.1.1.1', at(0));
  try {
    attempts.begin('ada@example.com', '1.1.1.1', at(10));
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ headers: { 'retry-after': expect.stringMatching(/^2[01]$/) } });
  }
});

test('who fails on purpose shuts out themselves, not the person', () => {
  const attempts = new Attempts();
  for (let time = 0; time < 10; time++) attempts.begin('ada@example.com', '6.6.6.6', at(0));
  expect(() => attempts.begin('ada@example.com', '6.6.6.6', at(0))).toThrow(refused);
  attempts.begin('ada@example.com', '1.1.1.1', at(0));
});

test('many places cannot guess one password without end', () => {
  const attempts = new Attempts();
  for (let place = 0; place < 100; place++) attempts.begin('ada@example.com', `10.0.0.${place}`, at(0));
  expect(() => attempts.begin('ada@example.com', '10.0.1.1', at(0))).toThrow(refused);
});

test('one place cannot try many people', () => {
  const attempts = new Attempts();
  for (let person = 0; person < 50; person++) attempts.begin(`${person}@example.com`, '6.6.6.6', at(0));
  expect(() => attempts.begin('50@example.com', '6.6.6.6', at(0))).toThrow(refused);
  attempts.begin('50@example.com', '1.1.1.1', at(0));
});

test('what succeeds does not count', () => {
  const attempts = new Attempts();
  for (let time = 0; time < 1000; time++) attempts.begin('ada@example.com', '1.1.1.1', at(0))();
});

test('sign-ups of one address are limited', () => {
  const signUps = new SignUps();
  for (let time = 0; time < 100; time++) signUps.begin('1.1.1.1', at(0));
  expect(() => signUps.begin('1.1.1.1', at(0))).toThrow(refused);
  signUps.begin('2.2.2.2', at(0));
  signUps.begin('1.1.1.1', at(3));
});
