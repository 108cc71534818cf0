import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressAllowed,
  checkUrl,
  checkUrlText,
  parseAllowedTargets,
  type UrlRules,
} from '../../../src/safe-url/safe-url.ts';
import { codePoint } from '../../support/code-points.ts';
import { runs, seed } from './settings.ts';

/*
 * Checks every spelling of every address against an oracle that shares nothing with src/safe-url. It knows numbers and
 * the IANA registries, and uses neither our list nor our library.
 */

const rules: UrlRules = { allowHttp: false, allowedTargets: parseAllowedTargets('') };
const options = { seed, numRuns: runs(400) };
const accepts = (host: string) => checkUrlText(`https://${host}/hook`, rules).ok;

/**
 * The first and last address of each range that is not public according to the registries, and Azure's platform
 * address.
 */
const closedIpv4: [number, number][] = (
  [
    [0x00000000, 8],
    [0x0a000000, 8],
    [0x64400000, 10],
    [0x7f000000, 8],
    [0xa83f8110, 32],
    [0xa9fe0000, 16],
    [0xac100000, 12],
    [0xc0000000, 24],
    [0xc0000200, 24],
    [0xc01fc400, 24],
    [0xc034c100, 24],
    [0xc0586300, 24],
    [0xc0a80000, 16],
    [0xc0af3000, 24],
    [0xc6120000, 15],
    [0xc6336400, 24],
    [0xcb007100, 24],
    [0xe0000000, 4],
    [0xf0000000, 4],
  ] as const
).map(([first, bits]) => [first, first + 2 ** (32 - bits) - 1]);
const isPublicIpv4 = (address: number) =>
  !closedIpv4.some(([first, last]) => address >= first && address <= last);

const top = (address: bigint, bits: number) => address >> BigInt(128 - bits);
const isPublicIpv6 = (address: bigint) =>
  top(address, 3) === 0b001n &&
  top(address, 23) !== 0x2001_0000n >> 9n &&
  top(address, 32) !== 0x2001_0db8n &&
  top(address, 16) !== 0x2002n &&
  top(address, 20) !== 0x3fff0n;

/** Any address or, just as often, the first and last of a closed range and those just outside of it. */
const edges = closedIpv4.flatMap(([first, last]) => [first, last, first - 1, last + 1]);
const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc.constantFrom(...closedIpv4).chain(([min, max]) => fc.integer({ min, max })),
  fc.constantFrom(...edges.filter((edge) => edge >= 0 && edge <= 0xffff_ffff)),
);
const inPrefix = (prefix: bigint, bits: number) =>
  fc
    .bigInt({ min: 0n, max: 2n ** BigInt(128 - bits) - 1n })
    .map((rest) => (prefix << BigInt(128 - bits)) + rest);
const ipv6 = fc.oneof(
  inPrefix(0n, 0),
  inPrefix(0b001n, 3),
  inPrefix(0x2001_0000n >> 9n, 23),
  inPrefix(0x2001_0db8n, 32),
  inPrefix(0x2001_0200n >> 9n, 23),
  inPrefix(0x2002n, 16),
  inPrefix(0x2003n, 16),
  inPrefix(0x3fff0n, 20),
  inPrefix(0xfcn >> 1n, 7),
  inPrefix(0xfe80n >> 6n, 10),
  inPrefix(0xffn, 8),
  inPrefix(0n, 96),
);

const dotted = (address: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

/** Decimal, octal or hexadecimal, in capitals, with leading zeros, as a whole or in up to four parts. */
const number = fc.constantFrom<(value: number) => string>(
  (value) => String(value),
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0x0000${value.toString(16)}`,
  (value) => `0${value.toString(8)}`,
  (value) => `000${value.toString(8)}`,
);
/** Digits and dots that a URL parser reads as the plain ones. */
const script = fc.constantFrom<[string, string]>(
  ['0', '.'],
  ['０', '．'],
  ['𝟎', '。'],
  ['𝟘', '｡'],
  ['𝟢', '.'],
);
const spelling = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.array(number, { minLength: 4, maxLength: 4 }), script)
  .map(([parts, numbers, [zero, dot]]) => (address: number) => {
    const heads = [24, 16, 8].slice(0, parts - 1).map((shift) => Math.floor(address / 2 ** shift) % 256);
    const values = [...heads, address % 2 ** (32 - 8 * (parts - 1))];
    const text = values.map((value, at) => numbers[at]?.(value)).join(dot);
    return text.replace(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 48) + Number(digit)));
  });

const groups = (address: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((address >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
const ipv6Spelling = fc.constantFrom<(address: bigint) => string>(
  (address) => groups(address).join(':'),
  (address) => groups(address).join(':').toUpperCase(),
  (address) =>
    groups(address)
      .map((group) => group.padStart(4, '0'))
      .join(':'),
  (address) => `${groups(address).slice(0, 6).join(':')}:${dotted(Number(address & 0xffff_ffffn))}`,
  (address) => new URL(`http://[${groups(address).join(':')}]/`).hostname.slice(1, -1),
);

describe('for every address, in every spelling', () => {
  it('an IPv4 address is taken if and only if it is public', () => {
    fc.assert(
      fc.property(ipv4, spelling, (address, spell) => {
        const host = spell(address);
        // Our client would connect to this spelling.
        expect(new URL(`https://${host}/`).hostname).toBe(dotted(address));
        expect(accepts(host)).toBe(isPublicIpv4(address));
      }),
      options,
    );
  });

  it('an IPv6 address is taken if and only if it is public', () => {
    fc.assert(
      fc.property(ipv6, ipv6Spelling, (address, spell) => {
        expect(accepts(`[${spell(address)}]`)).toBe(isPublicIpv6(address));
      }),
      options,
    );
  });

  it('an IPv4 address inside an IPv6 address is refused, public or not', () => {
    const wrapped = fc.tuple(ipv4, fc.nat({ max: 0xffff })).chain(([address, other]) => {
      const low = BigInt(address);
      return fc.constantFrom(
        low, // IPv4-compatible
        (0xffffn << 32n) + low, // IPv4-mapped
        (0xffffn << 48n) + low, // IPv4-translated
        (0x64_ff9bn << 96n) + low, // NAT64
        (0x64_ff9b_0001n << 80n) + (BigInt(other) << 32n) + low, // local NAT64
        (0x2002n << 112n) + (low << 80n) + BigInt(other), // 6to4
        (0x2001_0000n << 96n) + (BigInt(other) << 64n) + (low ^ 0xffff_ffffn), // Teredo
      );
    });
    fc.assert(
      fc.property(wrapped, ipv6Spelling, (address, spell) => {
        expect(accepts(`[${spell(address)}]`)).toBe(false);
        expect(addressAllowed(spell(address), 443, 'hooks.example.com', rules)).toBe(false);
      }),
      options,
    );
  });

  it('a zone, a dot at the end, a name and password or an encoding is refused around any address', () => {
    const around = fc.constantFrom<(host: string, bare: string) => string>(
      (host) => `${host}.`,
      (host) => `user@${host}`,
      (host) => `user:word@${host}`,
      (host) => `@${host}`,
      (host) => `hooks.example.com@${host}`,
      (host) => `hooks.example.com:443@${host}`,
      (host) => `${host}@hooks.example.com`,
      (host) => `${host}\\@hooks.example.com`,
      (host) => `${host}%2f.example.com`,
      (host) => `${host}#.example.com`,
      (_, bare) => `[${bare}%25lo]`,
      (_, bare) => `[${bare}%eth0]`,
      (host) => `${host}\t`,
      (host) => `\u00a0${host}`,
    );
    const hosts = fc.oneof(
      fc.tuple(ipv4, spelling).map(([address, spell]) => [spell(address), dotted(address)] as const),
      fc
        .tuple(ipv6, ipv6Spelling)
        .map(([address, spell]) => [`[${spell(address)}]`, spell(address)] as const),
    );
    fc.assert(
      fc.property(hosts, around, ([host, bare], surround) => {
        expect(accepts(surround(host, bare))).toBe(false);
      }),
      options,
    );
  });
});

describe('for every answer of a resolver', () => {
  const answers = fc.array(
    fc.oneof(
      ipv4.map((address) => ({ text: dotted(address), isPublic: isPublicIpv4(address) })),
      fc
        .tuple(ipv6, ipv6Spelling)
        .map(([address, spell]) => ({ text: spell(address), isPublic: isPublicIpv6(address) })),
      fc
        .constantFrom('', 'rubbish', '127.1', '0x7f.0.0.1', '::1%lo')
        .map((text) => ({ text, isPublic: false })),
    ),
    { minLength: 1, maxLength: 4 },
  );
  const url = 'https://hooks.example.com/';

  it('a name is taken if and only if all of them are public, and each is judged again when it is dialled', async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (given) => {
        const verdict = await checkUrl(url, rules, async () => given.map(({ text }) => text));
        expect(verdict.ok).toBe(given.every(({ isPublic }) => isPublic));
        for (const { text, isPublic } of given)
          expect(addressAllowed(text, 443, 'hooks.example.com', rules)).toBe(isPublic);
      }),
      options,
    );
  });

  it('an answer that changes between the check and the call is judged as it is then', async () => {
    await fc.assert(
      fc.asyncProperty(answers, answers, async (first, then) => {
        const inTurn = [first, then];
        const resolve = async () => (inTurn.shift() ?? []).map(({ text }) => text);
        await checkUrl(url, rules, resolve);
        expect((await checkUrl(url, rules, resolve)).ok).toBe(then.every(({ isPublic }) => isPublic));
      }),
      options,
    );
  });
});

it('any text gets a verdict, and what is taken is https to a public name or address', () => {
  const authority = fc.oneof(
    fc.domain(),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: codePoint, maxLength: 20 }),
    fc.constantFrom(
      'localhost',
      'a.internal',
      'a.local',
      'metadata.google.internal',
      'x',
      '[::]',
      '0',
      '127.1',
    ),
  );
  const text = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc
      .tuple(
        fc.constantFrom('https://', 'http://', 'HTTPS://', 'https:', 'https:///', '//', 'ftp://'),
        authority,
      )
      .map(([scheme, host]) => `${scheme}${host}/`),
    fc.string({ unit: codePoint }),
  );
  fc.assert(
    fc.property(text, (raw) => {
      const verdict = checkUrlText(raw, rules);
      if (!verdict.ok) {
        expect(verdict.message).toMatch(/^The .*webhook URL .*\.$/);
        return;
      }
      const { protocol, hostname, username, password, hash } = new URL(verdict.url);
      expect([protocol, username, password, hash]).toEqual(['https:', '', '', '']);
      expect(hostname).toMatch(/\.|:/);
      expect(hostname).not.toMatch(/(^|\.)(localhost|local|internal|lan|home|corp|arpa|onion)$/);
      expect(checkUrlText(verdict.url, rules)).toEqual(verdict);
    }),
    options,
  );
});
