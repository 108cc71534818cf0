import { isIP, type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { createSecureContext, getCACertificates, connect as tlsConnect } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { buildConnector } from 'undici';
import { addressAllowed, portOf, type Resolve, type UrlRules } from '../../safe-url/safe-url.ts';
import { AttemptError } from './outcome.ts';

// Node tries the addresses of a name in turn, and a dead one may hold up the next for this long. Node's default of 250
// ms gives up on healthy receivers on the other side of the world.
const NEXT_ADDRESS_AFTER_MS = 1_000;

/**
 * Makes connections for undici, each to an address that was checked for that connection. The name is resolved once, all
 * its addresses must be allowed, and the socket gets exactly those, so no second lookup could answer differently. A
 * literal address is checked too, because Node never looks it up.
 */
export function createDialer(options: {
  rules: UrlRules;
  connectTimeoutMs: number;
  resolve: Resolve;
  ca?: string;
}): { dial: buildConnector.connector; stop: () => void } {
  const tls = tlsSettings(options.ca);
  const resolve = sharing(options.resolve);
  const dialing = new Set<Socket>();
  let stopped = false;

  const dial: buildConnector.connector = (target, callback) => {
    let finished = false;
    let socket: Socket | undefined;
    const finish = (error: Error | null) => {
      if (finished) return;
      finished = true;
      clearTimeout(timer);
      if (socket !== undefined) dialing.delete(socket);
      if (error === null && socket !== undefined) return callback(null, socket);
      socket?.destroy();
      callback(error ?? new AttemptError('failed', 'The request could not be made.'), null);
    };
    // One limit for resolving, connecting to any of the addresses, and TLS.
    const timer = setTimeout(
      () => finish(connectTimeout(options.connectTimeoutMs)),
      options.connectTimeoutMs,
    );
    timer.unref();

    vettedAddresses(target.hostname, portOf(target), options.rules, resolve).then((addresses) => {
      if (finished || stopped) return finish(stoppedError());
      const open = openSocket(target, addresses, tls, finish);
      socket = open;
      dialing.add(open);
    }, finish);
  };

  const stop = () => {
    stopped = true;
    for (const socket of dialing) socket.destroy(stoppedError());
  };
  return { dial, stop };
}

async function vettedAddresses(
  hostname: string,
  port: number,
  rules: UrlRules,
  resolve: Resolve,
): Promise<string[]> {
  const addresses = isIP(hostname) === 0 ? await answersFor(hostname, resolve) : [hostname];
  if (addresses.every((address) => addressAllowed(address, port, hostname, rules))) return addresses;
  throw new AttemptError('blocked', 'The host of the URL does not point to a public address.');
}

async function answersFor(hostname: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(hostname).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new AttemptError('dns', 'The host name of the URL could not be resolved.');
}

function openSocket(
  target: buildConnector.Options,
  addresses: string[],
  tls: TlsSettings,
  finish: (error: Error | null) => void,
): Socket {
  const settings = {
    host: target.hostname,
    port: portOf(target),
    lookup: answering(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
  if (target.protocol !== 'https:') {
    const socket = netConnect(settings);
    return socket.once('connect', () => finish(null)).on('error', finish);
  }
  const sessionKey = `${target.hostname}:${settings.port}`;
  const socket = tlsConnect({
    ...settings,
    secureContext: tls.context,
    servername: isIP(target.hostname) === 0 ? target.hostname : undefined,
    session: tls.sessions.get(sessionKey),
    ALPNProtocols: ['http/1.1'],
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot turn it off.
    rejectUnauthorized: true,
  });
  let connected = false;
  return socket
    .once('connect', () => {
      connected = true;
    })
    .once('secureConnect', () => finish(null))
    .on('session', (session) => tls.sessions.set(sessionKey, session))
    .on('error', (error) => finish(connected ? tlsError(error) : error));
}

/** A lookup that returns the checked addresses and asks nobody. */
function answering(addresses: string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, _options, callback) => callback(null, answers);
}

/**
 * Connections opened at the same moment share one lookup: an endpoint's first burst opens dozens, and the whole process
 * has only a few threads for lookups.
 */
function sharing(resolve: Resolve): Resolve {
  const underWay = new Map<string, Promise<string[]>>();
  return (hostname) => {
    const shared = underWay.get(hostname);
    if (shared !== undefined) return shared;
    const answers = resolve(hostname).finally(() => underWay.delete(hostname));
    underWay.set(hostname, answers);
    return answers;
  };
}

type TlsSettings = ReturnType<typeof tlsSettings>;

function tlsSettings(ca: string | undefined) {
  return {
    // Made once: parsing the root certificates takes milliseconds.
    context: createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
    // Resumed sessions make reconnecting cheap. Node emits one only after it has verified the peer.
    sessions: new LRUCache<string, Buffer>({ max: 1_000 }),
  };
}

function tlsError(error: NodeJS.ErrnoException): AttemptError {
  const reason = tlsReasons.get(error.code ?? '') ?? 'The TLS handshake with the endpoint failed.';
  return new AttemptError('tls', reason);
}

const tlsReasons = new Map([
  ['CERT_HAS_EXPIRED', "The endpoint's certificate has expired."],
  ['CERT_NOT_YET_VALID', "The endpoint's certificate is not valid yet."],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', "The endpoint's certificate is self-signed."],
  ['SELF_SIGNED_CERT_IN_CHAIN', "The endpoint's certificate comes from an unknown authority."],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', "The endpoint's certificate comes from an unknown authority."],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', "The endpoint's certificate chain is incomplete."],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "The endpoint's certificate is for another host name."],
]);

function connectTimeout(limitMs: number): AttemptError {
  return new AttemptError('connect_timeout', `No connection could be made within ${limitMs / 1000} s.`);
}

function stoppedError(): AttemptError {
  return new AttemptError('stopped', 'The attempt was stopped because the service is stopping.');
}
