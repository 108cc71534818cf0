import { expect, test } from 'vitest';
import vectors from '../docs/signature-vectors.json' with { type: 'json' };
import { verifiers } from './support/verifiers.ts';

/*
 * The code that docs/delivery.md gives to receivers, held against the test vectors: in Node always, in the
 * other languages where they are installed: `npm run test:fuzz` sees to that.
 */

interface Case {
  body: string;
  header: string;
  secret: string;
  now: number;
  valid: boolean;
}

const cases: Case[] = vectors.flatMap(({ secrets, timestamp: t, body, header }) =>
  secrets.flatMap((secret) => {
    const fits = { body, header, secret, now: t };
    const [, ...signatures] = header.split(',');
    return [
      { ...fits, valid: true },
      { ...fits, now: t + 300, valid: true },
      { ...fits, now: t - 300, valid: true },
      { ...fits, now: t + 301, valid: false },
      { ...fits, now: t - 301, valid: false },
      { ...fits, body: `${body} `, valid: false },
      { ...fits, secret: `${secret}0`, valid: false },
      { ...fits, header: header.replace(`t=${t}`, `t=${t + 1}`), valid: false },
      { ...fits, header: signatures.join(), valid: false },
      { ...fits, header: `t=${t}`, valid: false },
      { ...fits, header: `t=${t},v1=,v0=${signatures[0]?.slice(3)}`, valid: false },
      { ...fits, header: `t=abc,${signatures.join()}`, valid: false },
      { ...fits, header: '', valid: false },
    ];
  }),
);
const expected = cases.map(({ valid }) => valid);
const asBytes = cases.map((each) => ({ ...each, body: Buffer.from(each.body) }));

for (const { language, isMissing, verdicts } of verifiers) {
  // The first start of Go compiles its standard library.
  test.skipIf(isMissing)(language, async () => {
    expect(await verdicts(asBytes)).toEqual(expected);
  });
}

test('Node takes the body as text too', async () => {
  const { verifyWebhook } = (await import(`${import.meta.dirname}/../docs/verify/verify.mjs`)) as {
    verifyWebhook(body: string, header: string, secret: string, now: number): boolean;
  };
  const verdicts = cases.map(({ body, header, secret, now }) => verifyWebhook(body, header, secret, now));
  expect(verdicts).toEqual(expected);
});
