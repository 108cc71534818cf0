import ipaddr from 'ipaddr.js';

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Whether an address belongs to the public internet. Anything that is not a plain address (octal spellings, zone ids,
 * rubbish from a resolver) does not.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return false;
  if (parsed.kind() === 'ipv4') return !inAny(parsed, specialIpv4);
  return inAny(parsed, globalIpv6) && !inAny(parsed, specialIpv6);
}

/** Accepts only canonical spellings, because URL parsers and resolvers return no others. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (!text.includes('%') && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

export function inAny(address: ipaddr.IPv4 | ipaddr.IPv6, networks: readonly Network[]): boolean {
  return networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

// Our own list, not ipaddr.js's range(): its names change between versions, and it calls some special
// addresses "unicast". The list has the whole IANA IPv4 special-purpose registry, including the few blocks
// that are globally reachable (AS112, AMT, 192.0.0.9), because nobody receives webhooks there.
export const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network; 0.0.0.0 is this host on Linux
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; Alibaba Cloud's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's platform service: a public address that only means something inside
  '169.254.0.0/16', // link-local; cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocols; Oracle Cloud's old metadata
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, with the broadcast address
] as const;

// For IPv6 it is the other way round: only what is assigned for global use is allowed. That excludes IPv4-mapped
// and IPv4-compatible addresses, both NAT64 prefixes, unique local, link-local and multicast without naming them.
const GLOBAL_IPV6 = '2000::/3';

export const SPECIAL_IPV6 = [
  '2001::/23', // IETF protocols: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: an IPv4 address in disguise
  '3fff::/20', // documentation
] as const;

const specialIpv4: Network[] = SPECIAL_IPV4.map((cidr) => ipaddr.parseCIDR(cidr));
const globalIpv6: Network[] = [ipaddr.parseCIDR(GLOBAL_IPV6)];
const specialIpv6: Network[] = SPECIAL_IPV6.map((cidr) => ipaddr.parseCIDR(cidr));
