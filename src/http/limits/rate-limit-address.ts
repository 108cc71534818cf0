import ipaddr from 'ipaddr.js';

/**
 * The address that a limit counts by: an IPv4 address, or the /64 of an IPv6 address. Every IPv6 connection is given a
 * whole /64, so a caller with a new address for each request would never reach a limit. It is spelled as better-auth
 * stores the addresses of sessions, so that the two can be compared. A closed connection has none.
 */
export function rateLimitAddress(ip: string | undefined): string {
  if (ip === undefined) return '';
  // Runs for every request, and most addresses need no parsing.
  if (!ip.includes(':') || !ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.map((part, at) => (at < 4 ? part : 0));
  return network.map((part) => part.toString(16).padStart(4, '0')).join(':');
}
