import ipaddr from 'ipaddr.js';

/*
 * Addresses from which a key may be used, as CIDR. An IPv4 address that comes as IPv6 (::ffff:203.0.113.7) is the same
 * address.
 */

/** A network in its shortest spelling, or null. A lone address is a network of one. */
export function readNetwork(text: string): string | null {
  const [address = '', bits, ...more] = text.split('/');
  // People would read other spellings of IPv4, such as 0x7f.1, as something else.
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isPlain || address.includes('%') || more.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)) return null;
  const length = bits === undefined ? most : Number(bits);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= mappedBits)
    return networkOf(ipaddr.IPv4, parsed.toIPv4Address(), length - mappedBits);
  return networkOf(parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6, parsed, length);
}

/** The length of the prefix ::ffff: before an IPv4 address. */
const mappedBits = 96;

const networkOf = (
  kind: typeof ipaddr.IPv4 | typeof ipaddr.IPv6,
  address: ipaddr.IPv4 | ipaddr.IPv6,
  bits: number,
): string => `${kind.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;

export function isWithin(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const asked = ipaddr.process(address);
  return networks.some((network) => {
    const [range, bits] = ipaddr.parseCIDR(network);
    return range.kind() === asked.kind() && asked.match(range, bits);
  });
}
