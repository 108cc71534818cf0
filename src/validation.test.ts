import { expect, test } from 'vitest';
import { z } from 'zod';
import { parse } from './validation.ts';

test('a hundred thousand mistakes are told by the first twenty', () => {
  const schema = z.object({ names: z.array(z.string('Must be text.')) });
  const names = Array.from({ length: 20 }, (_, at) => `[${at}]: Must be text.`);
  // With each message copied for every one that follows, this would take an hour.
  expect(() => parse(schema, { names: Array(100_000).fill(1) })).toThrow(
    JSON.stringify({ formErrors: [], fieldErrors: { names } }),
  );
});
