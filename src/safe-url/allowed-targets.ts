import ipaddr from 'ipaddr.js';
import { inAny, parseAddress } from './addresses.ts';

/** Targets that WEBHOOK_ALLOWED_TARGETS allows, for local development and tests. */
export interface AllowedTargets {
  /** As `hostname:port`, with the hostname as a URL parser spells it, but without brackets. */
  hosts: ReadonlySet<string>;
  networks: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];
}

/**
 * Reads `localhost:4000, [::1]:9000, 10.0.0.0/8`. The error says what is allowed and names the bad entry, for a
 * sentence about the setting.
 */
export function parseAllowedTargets(text: string): AllowedTargets {
  const hosts = new Set<string>();
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    if (entry.includes('/')) networks.push(parseNetwork(entry));
    else hosts.add(parseHostAndPort(entry));
  }
  return { hosts, networks };
}

/** Whether the target is named in the list, whatever it resolves to. */
export function isNamedTarget(hostname: string, port: number, targets: AllowedTargets): boolean {
  return targets.hosts.size > 0 && targets.hosts.has(`${hostname}:${port}`);
}

export function isInAllowedNetwork(address: string, targets: AllowedTargets): boolean {
  if (targets.networks.length === 0) return false;
  const parsed = parseAddress(address);
  return parsed !== null && inAny(parsed, targets.networks);
}

function parseNetwork(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const [address = ''] = entry.split('/');
  // This is stricter than parseCIDR alone, which takes 010.0.0.0/8 for 8.0.0.0/8.
  if (parseAddress(address) === null || !ipaddr.isValidCIDR(entry)) throw badEntry(entry);
  return ipaddr.parseCIDR(entry);
}

function parseHostAndPort(entry: string): string {
  const match = /^(?<host>\[[^\]@/]+\]|[^:@/?#\\\s[\]]+):(?<port>\d{1,5})$/.exec(entry);
  const { host = '', port = '' } = match?.groups ?? {};
  if (!URL.canParse(`http://${host}`) || Number(port) < 1 || Number(port) > 65535) throw badEntry(entry);
  return `${bareHostname(new URL(`http://${host}`))}:${Number(port)}`;
}

/** The hostname as it is dialled, without the brackets that a URL puts around IPv6. */
export function bareHostname(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function badEntry(entry: string): Error {
  return new Error(`must be host:port or networks such as 127.0.0.0/8, which "${entry}" is not`);
}
