import { expect, test } from 'vitest';
import { rateLimitAddress } from './rate-limit-address.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002:0000:0000:0000:0000'],
  ['2001:DB8:1:2::ffff', '2001:0db8:0001:0002:0000:0000:0000:0000'],
  ['2001:db8:1:3::', '2001:0db8:0001:0003:0000:0000:0000:0000'],
  ['::1', '0000:0000:0000:0000:0000:0000:0000:0000'],
  ['fe80::1%eth0', 'fe80:0000:0000:0000:0000:0000:0000:0000'],
  ['nonsense', 'nonsense'],
])('%s is at %s', (ip, address) => {
  expect(rateLimitAddress(ip)).toBe(address);
  expect(rateLimitAddress(address)).toBe(address);
});
