import { expect, test } from 'vitest';
import { Attempts, SignUps } from './attempts.ts';

const start = Date.UTC(2026, 10, 15);
const at = (seconds: number) => new Date(start + seconds * 1000);
const refused = expect.objectContaining({ status: 429 });
const stranger = async () => false;
const begin = (attempts: Attempts, email: string, ip: string, now: Date, isKnownHere = stranger) =>
  attempts.begin(email, ip, now, isKnownHere);

test('one person from one address has ten attempts, then one every 30 seconds', async () => {
  const attempts = new Attempts();
  for (let time = 0; time < 10; time++) await begin(attempts, 'ada@example.com', '1.1.1.1', at(0));
  await expect(begin(attempts, 'ada@example.com', '1.1.1.1', at(1))).rejects.toThrow(refused);
  await expect(begin(attempts, 'ada@example.com', '1.1.1.1', at(29))).rejects.toThrow(refused);
  await begin(attempts, 'ada@example.com', '1.1.1.1', at(31));
  await expect(begin(attempts, 'ada@example.com', '1.1.1.1', at(32))).rejects.toThrow(refused);
});

test('a refusal says how long to wait', async () => {
  const attempts = new Attempts();
  for (let time = 0; time < 10; time++) await begin(attempts, 'ada@example.com', '1.1.1.1', at(0));
  try {
    await begin(attempts, 'ada@example.com', '1.1.1.1', at(10));
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ headers: { 'retry-after': expect.stringMatching(/^2[01]$/) } });
  }
});

test('a stranger who fails on purpose is locked out, but not the person', async () => {
  const attempts = new Attempts();
  for (let time = 0; time < 10; time++) await begin(attempts, 'ada@example.com', '6.6.6.6', at(0));
  await expect(begin(attempts, 'ada@example.com', '6.6.6.6', at(0))).rejects.toThrow(refused);
  await begin(attempts, 'ada@example.com', '1.1.1.1', at(0));
});

test('many addresses cannot keep guessing one password', async () => {
  const attempts = new Attempts();
  for (let host = 0; host < 100; host++) await begin(attempts, 'ada@example.com', `10.0.0.${host}`, at(0));
  await expect(begin(attempts, 'ada@example.com', '10.0.1.1', at(0))).rejects.toThrow(refused);
});

test('strangers do not lock a person out where they are known; wrong passwords still count', async () => {
  const attempts = new Attempts();
  for (let host = 0; host < 100; host++) await begin(attempts, 'ada@example.com', `10.0.0.${host}`, at(0));
  const atHome = () => begin(attempts, 'ada@example.com', '1.1.1.1', at(0), async () => true);
  for (let time = 0; time < 10; time++) await atHome();
  await expect(atHome()).rejects.toThrow(refused);
  await expect(begin(attempts, 'ada@example.com', '2.2.2.2', at(0))).rejects.toThrow(refused);
});

test('a device that is known has its own ten attempts, whatever strangers do', async () => {
  const attempts = new Attempts();
  for (let time = 0; time < 50; time++) await begin(attempts, `${time}@example.com`, '1.1.1.1', at(0));
  const onDevice = (now: Date) =>
    attempts.begin('ada@example.com', '1.1.1.1', now, stranger, 'device of ada');
  await expect(begin(attempts, 'ada@example.com', '1.1.1.1', at(0))).rejects.toThrow(refused);
  for (let time = 0; time < 10; time++) await onDevice(at(0));
  await expect(onDevice(at(1))).rejects.toThrow(refused);
  await onDevice(at(31));
});

test('one address cannot try many people', async () => {
  const attempts = new Attempts();
  for (let person = 0; person < 50; person++)
    await begin(attempts, `${person}@example.com`, '6.6.6.6', at(0));
  await expect(begin(attempts, '50@example.com', '6.6.6.6', at(0))).rejects.toThrow(refused);
  await begin(attempts, '50@example.com', '1.1.1.1', at(0));
});

test('refused attempts push nobody else out of the limits', async () => {
  const attempts = new Attempts();
  const guess = (email: string, ip: string) => begin(attempts, email, ip, at(0));
  for (let n = 0; n < 100; n++) await guess('ada@example.com', `10.0.${n}.1`);
  await expect(guess('ada@example.com', '10.1.0.1')).rejects.toThrow(refused);
  for (let n = 0; n < 50_100; n++) await guess(`nobody-${n}@example.com`, '10.2.0.1').catch(() => undefined);
  await expect(guess('ada@example.com', '10.1.0.2')).rejects.toThrow(refused);
});

test('a successful sign-in does not count', async () => {
  const attempts = new Attempts();
  for (let time = 0; time < 1000; time++) (await begin(attempts, 'ada@example.com', '1.1.1.1', at(0)))();
});

test('sign-ups of one address are limited', () => {
  const signUps = new SignUps();
  for (let time = 0; time < 100; time++) signUps.begin('1.1.1.1', at(0));
  expect(() => signUps.begin('1.1.1.1', at(0))).toThrow(refused);
  signUps.begin('2.2.2.2', at(0));
  signUps.begin('1.1.1.1', at(3));
});
