import ipaddr from 'ipaddr.js';

/**
 * Whom a limit per address is for: an IPv4 address, or the /64 of an IPv6 address. One connection is given that many
 * addresses, and whoever used a new one for each request would meet no limit. Spelled as better-auth keeps the addresses
 * of sessions, so that the two can be compared. A connection that is gone already has none.
 */
export function rateLimitAddress(ip: string | undefined): string {
  if (ip === undefined) return '';
  // Asked with every request: most need no parsing.
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.map((part, at) => (at < 4 ? part : 0));
  return network.map((part) => part.toString(16).padStart(4, '0')).join(':');
}
