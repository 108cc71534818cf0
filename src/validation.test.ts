import { expect, test } from 'vitest';
import { z } from 'zod';
import { parse } from './validation.ts';

test('of a hundred thousand mistakes, the first twenty are reported', () => {
  const schema = z.object({ names: z.array(z.string('Must be text.')) });
  const names = Array.from({ length: 20 }, (_, at) => `[${at}]: Must be text.`);
  // If each message were copied for every one that follows, this would take an hour.
  expect(() => parse(schema, { names: Array(100_000).fill(1) })).toThrow(
    expect.objectContaining({ publicMessage: { formErrors: [], fieldErrors: { names } } }),
  );
});

test('a value with the form of one of several choices gets the errors of that choice', () => {
  const policy = z.object({ days: z.number().max(60, 'Must be at most 60.') });
  const schema = z.object({ fees: z.union([z.literal('none'), policy], 'Must be none or a policy.') });
  const told = (fees: unknown, message: string) =>
    expect(() => parse(schema, { fees })).toThrow(
      expect.objectContaining({ publicMessage: { formErrors: [], fieldErrors: { fees: [message] } } }),
    );
  told({ days: 61 }, 'days: Must be at most 60.');
  told({}, 'days: Required.');
  told('nobody', 'Must be none or a policy.');
});

test('what is wrong is also told as text, for the command line and logs', () => {
  const schema = z.object({ name: z.string('Must be text.'), days: z.number('Must be a number.') });
  expect(() => parse(schema, { name: 5, days: 'x' })).toThrow('name: Must be text. days: Must be a number.');
});
