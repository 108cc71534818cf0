import { isIP } from 'node:net';
import { isPublicAddress } from './addresses.ts';
import { type AllowedTargets, bareHostname, isInAllowedNetwork, isNamedTarget } from './allowed-targets.ts';
import { type Resolve, resolveForCheck } from './resolver.ts';
import { isServicePort } from './service-ports.ts';

export { isPublicAddress } from './addresses.ts';
export { parseAllowedTargets } from './allowed-targets.ts';
export { type Resolve, resolveAll } from './resolver.ts';

export interface UrlRules {
  allowHttp: boolean;
  allowedTargets: AllowedTargets;
}

/** `url` is the normalised address, with its host in punycode. This is what is stored and shown. */
type UrlVerdict = { ok: true; url: string } | { ok: false; message: string };

const MAX_URL_LENGTH = 2048;

// Longer than a healthy resolver takes, and shorter than a person waits for a form to be saved.
const RESOLVE_LIMIT_MS = 1_000;

/**
 * The check when a subscription is created or changed: of the text, and of what its name resolves to now. A name that
 * does not resolve in time passes, because every connection is checked again.
 */
export async function checkUrl(
  raw: string,
  rules: UrlRules,
  resolve: Resolve = resolveForCheck,
): Promise<UrlVerdict> {
  const verdict = checkUrlText(raw, rules);
  if (!verdict.ok) return verdict;
  const url = new URL(verdict.url);
  const hostname = bareHostname(url);
  const port = portOf(url);
  if (isIP(hostname) !== 0 || isNamedTarget(hostname, port, rules.allowedTargets)) return verdict;
  const addresses = await resolveWithinLimit(hostname, resolve);
  return addresses.every((address) => addressAllowed(address, port, hostname, rules))
    ? verdict
    : refuse(NOT_PUBLIC);
}

/** The rules that need no resolver. A verdict's `url` passes again, unchanged. */
export function checkUrlText(raw: string, rules: UrlRules): UrlVerdict {
  const badText = textProblem(raw, rules);
  if (badText !== null) return refuse(badText);
  if (!URL.canParse(raw)) return refuse('The webhook URL is not valid; check its host and port.');
  const url = new URL(raw);
  // Non-ASCII characters grow when they are percent-encoded.
  if (url.href.length > MAX_URL_LENGTH) return refuse(TOO_LONG);
  const badTarget = isAllowedTarget(url, rules.allowedTargets) ? null : targetProblem(url, rules);
  return badTarget === null ? { ok: true, url: url.href } : refuse(badTarget);
}

/** Whether this address may be dialled for this name and port. */
export function addressAllowed(address: string, port: number, hostname: string, rules: UrlRules): boolean {
  return (
    isPublicAddress(address) ||
    isInAllowedNetwork(address, rules.allowedTargets) ||
    (isIP(address) !== 0 && isNamedTarget(hostname, port, rules.allowedTargets))
  );
}

export function portOf(url: Pick<URL, 'port' | 'protocol'>): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/**
 * What is wrong with the text as it was typed. We check it before parsing, because the parser repairs it: it drops tabs
 * and newlines, trims spaces, turns backslashes into slashes, adds missing slashes and forgets an empty user name. We
 * refuse whatever it would repair.
 */
function textProblem(raw: string, rules: UrlRules): string | null {
  if (raw.length > MAX_URL_LENGTH) return TOO_LONG;
  if (/[\p{Cc}\p{Cs}\p{Z}\s\\]/u.test(raw)) {
    return 'The webhook URL must not contain spaces, control characters or backslashes; percent-encode them.';
  }
  if (raw.includes('#'))
    return 'The webhook URL must not have a fragment; remove the "#" and what follows it.';
  const authority = /^https?:\/\/(?<authority>[^/?]+)/i.exec(raw)?.groups?.authority;
  if (authority === undefined)
    return `The webhook URL must start with ${rules.allowHttp ? 'http:// or https://' : 'https://'} and a host.`;
  if (authority.includes('@')) return 'The webhook URL must not contain a user name, a password or "@".';
  if (authority.includes('%')) return 'The host of the webhook URL must not be percent-encoded.';
  // UTS #46 reads the ideographic and full-width dots as dots.
  if (/[.\u3002\uff0e\uff61](?::\d*)?$/.test(authority)) {
    return 'The host of the webhook URL must not end with a dot.';
  }
  return null;
}

function isAllowedTarget(url: URL, targets: AllowedTargets): boolean {
  const hostname = bareHostname(url);
  return isNamedTarget(hostname, portOf(url), targets) || isInAllowedNetwork(hostname, targets);
}

function targetProblem(url: URL, rules: UrlRules): string | null {
  if (url.protocol !== 'https:' && !rules.allowHttp) return 'The webhook URL must use https.';
  if (!isAllowedPort(portOf(url), rules)) {
    return 'The webhook URL must use port 443, or a port from 1024 up that no well-known service uses.';
  }
  const hostname = bareHostname(url);
  if (isIP(hostname) !== 0) return isPublicAddress(hostname) ? null : NOT_PUBLIC;
  return isPublicName(hostname)
    ? null
    : 'The webhook URL must use a public host name, such as hooks.example.com.';
}

function isAllowedPort(port: number, rules: UrlRules): boolean {
  if (port === 443) return true;
  if (port === 80) return rules.allowHttp;
  return port >= 1024 && !isServicePort(port);
}

function isPublicName(hostname: string): boolean {
  const labels = hostname.split('.');
  return (
    hostname.length <= 253 &&
    labels.length >= 2 &&
    // The URL parser lets through characters that no host name has, such as $ and =, and hyphens at the ends of a
    // label.
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    !PRIVATE_SUFFIXES.has(labels[labels.length - 1] ?? '') &&
    !METADATA_NAMES.some((name) => hostname === name || hostname.endsWith(`.${name}`))
  );
}

const PRIVATE_SUFFIXES = new Set([
  ...['localhost', 'local', 'internal', 'localdomain', 'lan', 'home'],
  ...['corp', 'intranet', 'private', 'onion', 'arpa'],
  'svc', // inside Kubernetes, service.namespace.svc resolves by the search list
]);

// Cloud metadata. Amazon's, Azure's and most of Google's names are under .internal, refused above.
const METADATA_NAMES = [
  'metadata.goog', // Google
  'metadata.tencentyun.com', // Tencent
  'metadata.packet.net', // Equinix Metal
  'metadata.platformequinix.com', // Equinix Metal
  'metadata.cloud.ibm.com', // IBM
];

/** Returns no addresses if the name does not resolve within the limit. */
async function resolveWithinLimit(hostname: string, resolve: Resolve): Promise<string[]> {
  const { promise: limit, resolve: giveUp } = Promise.withResolvers<string[]>();
  const timer = setTimeout(giveUp, RESOLVE_LIMIT_MS, []);
  try {
    return await Promise.race([resolve(hostname), limit]);
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}

const TOO_LONG = `The webhook URL must be at most ${MAX_URL_LENGTH} characters long.`;

// The same words for a literal address as for any answer of a resolver, so that nobody learns what a name resolves to
// inside our network.
const NOT_PUBLIC = 'The webhook URL must point to a public address.';

function refuse(message: string): UrlVerdict {
  return { ok: false, message };
}
