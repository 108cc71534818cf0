import { expect, test } from 'vitest';
import { z } from 'zod';
import { parse } from './validation.ts';

test('of a hundred thousand mistakes, the first twenty are reported', () => {
  const schema = z.object({ names: z.array(z.string('Must be text.')) });
  const names = Array.from({ length: 20 }, (_, at) => `[${at}]: Must be text.`);
  // If each message were copied for every one that follows, this would take an hour.
  expect(() => parse(schema, { names: Array(100_000).fill(1) })).toThrow(
    JSON.stringify({ formErrors: [], fieldErrors: { names } }),
  );
});

test('a value with the form of one of several choices gets the errors of that choice', () => {
  const policy = z.object({ days: z.number().max(60, 'Must be at most 60.') });
  const schema = z.object({ fees: z.union([z.literal('none'), policy], 'Must be none or a policy.') });
  const told = (fees: unknown, message: string) =>
    expect(() => parse(schema, { fees })).toThrow(
      JSON.stringify({ formErrors: [], fieldErrors: { fees: [message] } }),
    );
  told({ days: 61 }, 'days: Must be at most 60.');
  told({}, 'days: Required.');
  told('nobody', 'Must be none or a policy.');
});
