import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sign, signingKey } from '../../../src/deliveries/sending/sign.ts';
import { codePoint } from '../../support/code-points.ts';
import { type SignatureCase, verifiers } from '../../support/verifiers.ts';
import { runs, seed } from './settings.ts';

/*
 * Any body, secret and time, signed by us and then altered. The samples of docs/verify must accept what we sign and
 * nothing else, agree with each other, and crash on nothing.
 */

const bodies = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 80 }),
  fc.string({ unit: codePoint, maxLength: 80 }).map((text) => Buffer.from(text.toWellFormed())),
  fc.constant(Buffer.alloc(3_000, 'x')),
);
const secrets = fc.oneof(
  fc.stringMatching(/^whsec_[0-9a-f]{64}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
);
const times = fc.oneof(
  fc.integer({ min: 1_600_000_000, max: 2_000_000_000 }),
  fc.constantFrom(0, 1, 299, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 4_102_444_800),
);

interface Signed extends SignatureCase {
  timestamp: number;
  secrets: string[];
}

/** The headers of a delivery: signed with one secret, or with two while one replaces the other. */
const signed: fc.Arbitrary<Signed> = fc
  .tuple(bodies, fc.array(secrets, { minLength: 1, maxLength: 2 }), times, fc.nat({ max: 300 }), fc.boolean())
  .map(([body, all, timestamp, age, older]) => ({
    body,
    header: sign({ keys: all.map(signingKey), timestamp, body }),
    secret: (older ? all.at(-1) : all[0]) ?? '',
    now: timestamp + age,
    timestamp,
    secrets: all,
  }));

/** Random bytes of a header, one character for each. */
const junk = fc
  .oneof(
    fc.constantFrom(
      ...['', ',', '=', 't', 't=', 'v1', 'v1=', '=,=', 't=,v1=', 'T=1', ' ', '\t', '\0', 'é', '١'],
    ),
    fc.string({ maxLength: 30 }),
    fc.string({ unit: codePoint, maxLength: 20 }).map((text) => text.toWellFormed()),
    fc.constantFrom('9', '0').map((digit) => `t=${digit.repeat(6_000)}`),
  )
  .map((text) => Buffer.from(text).toString('latin1'));
/** Bytes that are not valid text. */
const broken = ['\xff', 't=\xc0\x80', '\xed\xa0\x80,', 'v1=\xfe'];

/**
 * Changes to what was signed that should make the signature invalid. Some leave it valid: the oracle below knows which.
 */
const spoilt: fc.Arbitrary<SignatureCase> = fc
  .tuple(signed, fc.oneof(junk, fc.constantFrom(...broken)), fc.nat(), fc.nat({ max: 14 }))
  .map(([good, text, at, how]) => {
    const { header, body, secret, timestamp: t, now } = good;
    const parts = header.split(',');
    const index = at % (header.length + 1);
    const from = (head: string) => [head, ...parts.slice(1)].join(',');
    const again = (written: string) => ({
      ...good,
      header: `t=${written},v1=${createHmac('sha256', secret).update(`${written}.`).update(body).digest('hex')}`,
    });
    const ways: SignatureCase[] = [
      { ...good, header: header.slice(0, index) + text + header.slice(index) },
      { ...good, header: header.slice(0, index) + header.slice(index + 1) },
      { ...good, header: from(text) },
      { ...good, header: `${text},${header}` },
      { ...good, header: `${header},${text}` },
      { ...good, header: `${header}=${text}` },
      { ...good, header: parts.toReversed().join(',') },
      { ...good, header: header.replace(/v1=.*/, (value) => value.toUpperCase()) },
      { ...good, header: from(`t=${t + 1}`) },
      { ...good, body: Buffer.concat([body, Buffer.from([at % 256])]) },
      { ...good, secret: `${secret}${text || 'x'}`.toWellFormed() },
      { ...good, now: t + 301 + (at % 1000) },
      { ...good, now: t - 301 - (at % 1000) },
      // The right secret signed it, but with a time that is written as we never write it.
      again(
        [`+${t}`, ` ${t}`, `${t} `, `${t}.0`, `-${t}`, `0${t}`, `${t}\n`, `1_${t}`, '0x10', '', '९'][
          at % 11
        ] ?? '',
      ),
      { ...good, header: `t=,${header}` },
    ];
    return { ...good, now, ...ways[how] };
  });

/** The rules of docs/delivery.md once more, written only for this test. */
function isGenuine({ body, header, secret, now }: SignatureCase): boolean {
  const parts = header
    .split(',')
    .map((part) => [part.split('=')[0], part.slice(part.indexOf('=') + 1)] as const);
  const time = parts.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^[0-9]{1,15}$/.test(time) || Math.abs(now - Number(time)) > 300) return false;
  const expected = createHmac('sha256', secret)
    .update(Buffer.concat([Buffer.from(`${time}.`), body]))
    .digest('hex');
  return parts.some(([name, value]) => name === 'v1' && value === expected);
}

const goodCases = fc.sample(signed, { numRuns: runs(300, 5_000), seed });
const spoiltCases = fc.sample(spoilt, { numRuns: runs(900, 15_000), seed });
const cases: SignatureCase[] = [...goodCases, ...spoiltCases];
const expected = cases.map(isGenuine);

test('what we sign is genuine, and most altered requests are not', () => {
  expect(expected.slice(0, goodCases.length).every(Boolean)).toBe(true);
  const taken = expected.slice(goodCases.length).filter(Boolean).length;
  expect(taken).toBeLessThan(spoiltCases.length / 3);
  // An altered header that is still valid contains the same signature with something harmless beside it.
  expect(taken).toBeGreaterThan(0);
});

for (const { language, isMissing, verdicts } of verifiers) {
  test.skipIf(isMissing)(
    `the sample in ${language} agrees (FUZZ_SEED=${seed})`,
    { timeout: 300_000 },
    async () => {
      const given = (await verdicts(cases)) as boolean[];
      expect(given.length).toBe(cases.length);
      const astray = cases.flatMap((each, at) =>
        given[at] === expected[at]
          ? []
          : [{ ...each, body: Buffer.from(each.body).toString('base64'), expected: expected[at] }],
      );
      expect(astray.slice(0, 3)).toEqual([]);
    },
  );
}
