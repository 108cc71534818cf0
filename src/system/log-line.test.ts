import { pino } from 'pino';
import { expect, test } from 'vitest';
import { logInfo, timestamp } from './log-line.ts';

test('a line is the same as pino writes, whatever is in it', () => {
  const lines: string[] = [];
  const log = pino(
    { base: undefined, timestamp: () => ',"time":"now"' },
    { write: (line) => void lines.push(line) },
  );
  const fields = {
    text: '"quoted"\n\u2028 \ud800 é',
    number: 1.5,
    nothing: null,
    left_out: undefined,
    yes: true,
  };
  log.info(fields, 'it "happened"');
  logInfo(log, fields, 'it "happened"');
  const [expected = '', line = ''] = lines;
  expect(line.replace(/"time":"[^"]+"/, '"time":"now"')).toBe(expected);
});

test('nothing is written below the level', () => {
  const lines: string[] = [];
  logInfo(pino({ level: 'warn' }, { write: (line) => void lines.push(line) }), {}, 'quiet');
  expect(lines).toEqual([]);
});

test('the time is that of now', () => {
  const before = Date.now();
  const time = Date.parse(JSON.parse(`{${timestamp().slice(1)}}`).time);
  expect(time).toBeGreaterThanOrEqual(before);
  expect(time).toBeLessThanOrEqual(Date.now());
});
