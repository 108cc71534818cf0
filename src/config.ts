import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseEnv } from 'node:util';
import { isPublicAddress, parseAllowedTargets } from './safe-url/safe-url.ts';

/**
 * Every setting: what it means, its default and how its text becomes a value. Settings are read from the environment
 * here alone (ARCHITECTURE.md says what else is read from there), and docs/settings.md is generated from this list. A
 * wrong value stops the start with a sentence.
 */
interface Setting<Value> {
  meaning: string;
  default: string;
  /** Throws an Error whose message says which values are allowed. */
  parse: (text: string) => Value;
}

const setting = <Value>(
  meaning: string,
  fallback: string,
  parse: (text: string) => Value,
): Setting<Value> => ({
  meaning,
  default: fallback,
  parse,
});

export const settings = {
  PORT: setting('Port of the API and the dashboard.', '3000', whole(0, 65_535)),
  HOST: setting('Address to listen on; `0.0.0.0` for every interface.', '127.0.0.1', text),
  PUBLIC_URL: setting(
    'Address at which people and integrations reach the service, if it is not `http://HOST:PORT`.',
    '',
    publicUrl,
  ),
  DATA_DIR: setting('Folder of the embedded database and the generated secret key.', './data', text),
  DATABASE_URL: setting('A Postgres (15 or later) to use instead of the embedded one.', '', databaseUrl),
  DATABASE_POOL_SIZE: setting(
    "Maximum number of connections in a process's pool, shared fairly among accounts. A worker opens one more, to listen on.",
    '10',
    whole(2, 1000),
  ),
  DATABASE_TIMEOUT_MS: setting(
    'Longest wait for the answer to one statement. Before it, a request waits at most 5 seconds for a free connection. A request that waits longer than either gets a 503.',
    '10000',
    whole(100, 3_600_000),
  ),
  SECRET_KEY: setting(
    'Encrypts webhook secrets and signs sessions; at least 32 characters. Required with `DATABASE_URL`; with the embedded database one is generated in `DATA_DIR`.',
    '',
    secretKey,
  ),
  SECRET_KEYS_ACCEPTED: setting(
    'Other keys, separated by commas, that are accepted along with `SECRET_KEY` while it is being rotated ([how](operating.md#rotating-secret_key)).',
    '',
    secretKeys,
  ),
  SIGN_UP: setting(
    'Who may sign up in the dashboard: `first` (only the first person; others are invited), `open` or `closed`.',
    'first',
    oneOf('first', 'open', 'closed'),
  ),
  OIDC_ISSUER: setting(
    'Issuer of OpenID Connect with which people may sign in, such as `https://login.example.com/realms/office` ([how](single-sign-on.md)). Goes with `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET` and `PUBLIC_URL`.',
    '',
    issuer,
  ),
  OIDC_CLIENT_ID: setting('The id by which the issuer knows Tenure.', '', text),
  OIDC_CLIENT_SECRET: setting('The secret that the issuer gave to Tenure.', '', text),
  OIDC_NAME: setting(
    'The name by which people know the issuer, as in the button "Sign in with …".',
    'single sign-on',
    text,
  ),
  OIDC_ONLY: setting(
    'Whether people sign in with the issuer alone: no password signs anybody in or up.',
    'false',
    boolean,
  ),
  OIDC_SCOPES: setting('Scopes to ask the issuer for, separated by spaces.', 'openid email profile', scopes),
  OIDC_TRUST_EMAIL: setting(
    'Whether an e-mail address counts as verified if the issuer says nothing about it (`email_verified`). Only for an issuer where nobody can choose their own address.',
    'false',
    boolean,
  ),
  WEBHOOK_RETRY_DELAYS_MS: setting(
    'Waits before the second and each later delivery attempt, in milliseconds.',
    '30000,240000,1920000,15360000',
    delays,
  ),
  WEBHOOK_TIMEOUT_MS: setting(
    'Longest time that one delivery attempt may take, including its answer.',
    '15000',
    whole(100, 120_000),
  ),
  WEBHOOK_ALLOW_HTTP: setting('Whether webhook URLs may use http (for development).', 'false', boolean),
  WEBHOOK_ALLOWED_TARGETS: setting(
    'Targets that webhooks may have even though they are not public: a list of `host:port` or CIDR (for development).',
    '',
    parseAllowedTargets,
  ),
  WEBHOOK_CONCURRENCY: setting(
    'Maximum number of deliveries in flight in one worker.',
    '128',
    whole(1, 10_000),
  ),
  WEBHOOK_CONCURRENCY_PER_ENDPOINT: setting(
    'Maximum number of deliveries in flight to one endpoint. The actual limit adapts to the endpoint, up to this.',
    '64',
    whole(1, 1000),
  ),
  CORS_ORIGINS: setting(
    'Origins whose pages may call the API with a key, such as `https://app.example.com`, separated by commas; `*` for all. A page shows its key to whoever opens it.',
    '',
    origins,
  ),
  AUTOMATION_USER_AGENTS: setting(
    'A webhook subscription is marked as `automation` if its User-Agent contains one of these names.',
    'zapier',
    list,
  ),
  RATE_LIMIT_PER_SECOND: setting(
    'Requests per second that one API key may make. Each process counts for itself. 0 switches the limit off.',
    '1000',
    whole(0, 1_000_000),
  ),
  RATE_LIMIT_BURST: setting('Requests one API key may make at once.', '2000', whole(1, 1_000_000)),
  RATE_LIMIT_PER_ACCOUNT: setting(
    'The limits of all API keys of an account together, as a multiple of those of one key.',
    '2',
    whole(1, 1000),
  ),
  API_KEYS_PER_ACCOUNT: setting(
    'API keys that an account may have, not counting revoked and expired ones.',
    '100',
    whole(1, 100_000),
  ),
  WEBHOOKS_PER_ACCOUNT: setting('Webhook endpoints an account may have.', '100', whole(1, 10_000)),
  FILES_MB_PER_ACCOUNT: setting(
    'Megabytes that the photos and documents of an account may take in the database. 0: none can be added.',
    '2048',
    whole(0, 1_000_000_000),
  ),
  ACCOUNTS_PER_PERSON: setting(
    'Accounts that one person may own and still open another (where `SIGN_UP` is `open`).',
    '20',
    whole(1, 100_000),
  ),
  QUEUED_DELIVERIES_PER_ACCOUNT: setting(
    'Deliveries that may wait for the webhook endpoints of an account. A change, or an import, that would queue more is refused with 409. Each takes about a kilobyte of the database.',
    '500000',
    whole(1, 2_000_000_000),
  ),
  SECURITY_CONTACT: setting(
    'Where to report a vulnerability of this installation: an e-mail address or an https address. It is published at `/.well-known/security.txt`, which does not exist without it.',
    '',
    securityContact,
  ),
  REQUEST_CONCURRENCY: setting(
    'Maximum number of API requests that one process works on at once; further ones get a 503. One account gets at most four fifths. The dashboard has as many of its own.',
    '2000',
    whole(1, 1_000_000),
  ),
  RETENTION_DAYS: setting('Days that events and deliveries are kept.', '30', whole(1, 36_500)),
  HISTORY_RETENTION_DAYS: setting(
    'Days that the history of records is kept: who changed what, and notes.',
    '2555',
    whole(1, 36_500),
  ),
  AUDIT_RETENTION_DAYS: setting(
    'Days that the audit log of an account is kept: sign-ins, keys, roles, exports, settings.',
    '365',
    whole(1, 36_500),
  ),
  BACKUP_PASSPHRASE: setting(
    'Encrypts what `tenure backup` writes, and opens it in `tenure restore`. At least 12 characters.',
    '',
    passphrase,
  ),
  TEST_RECORDS_PER_ACCOUNT: setting(
    'Records and events that the test mode of an account may have. Whatever would add more is refused with 409 until it is reset.',
    '500000',
    whole(1, 2_000_000_000),
  ),
  TEST_UNUSED_DAYS: setting(
    'Days after which a test mode that nobody uses is emptied. The dashboard warns beforehand. Its keys stay.',
    '90',
    whole(1, 36_500),
  ),
  ACCOUNT_KEPT_DAYS: setting(
    'Days that the data of a closed account is kept before it is erased. Until then `tenure accounts reopen` opens it again.',
    '30',
    // Not zero: other processes may still be writing to it.
    whole(1, 36_500),
  ),
  LOG_LEVEL: setting(
    '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  DRAIN_MS: setting(
    'The least time that a process keeps serving after it is told to stop, with `/readyz` at 503: the time that a load balancer needs to notice. After that it stops as soon as no callers are left.',
    '0',
    whole(0, 600_000),
  ),
  METRICS_PORT: setting(
    'Port for Prometheus metrics, on `HOST`. Without it there are none.',
    '',
    optionalPort,
  ),
  TRUST_PROXY: setting(
    "Whose `X-Forwarded-*` headers are believed: nobody's (`false`); a number of proxies in front, such as `1`; a list of their addresses or CIDRs; or anybody's (`true`), if the proxy in front sets them itself.",
    'false',
    proxies,
  ),
} as const;

type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

class WrongSetting extends Error {}

/** Reads .env, if there is one, and the environment, which wins. */
export function loadConfig(
  environment: Record<string, string | undefined> = process.env,
  envFile = '.env',
): Config {
  const file = existsSync(envFile) ? parseEnv(readEnv(envFile)) : {};
  const config: Record<string, unknown> = {};
  for (const [name, { default: fallback, parse }] of Object.entries(settings)) {
    const given = environment[name] ?? file[name];
    const value = given === undefined || given.trim() === '' ? fallback : given.trim();
    try {
      config[name] = parse(value);
    } catch (error) {
      const isSecret = /^(SECRET_KEY|DATABASE_URL$|BACKUP_PASSPHRASE$)/.test(name);
      const shown = isSecret ? '' : `; it is ${JSON.stringify(value)}`;
      throw new WrongSetting(`${name} ${(error as Error).message}${shown}.`);
    }
  }
  if (config.DATABASE_URL && !config.SECRET_KEY) {
    throw new WrongSetting(
      'SECRET_KEY must be set when DATABASE_URL is: at least 32 characters, the same for every process.',
    );
  }
  if (!config.SECRET_KEY && (config.SECRET_KEYS_ACCEPTED as string[]).length > 0) {
    throw new WrongSetting('SECRET_KEYS_ACCEPTED goes with a SECRET_KEY; set that one too.');
  }
  checkOpenId(config as Config);
  return config as Config;
}

/** With only half of the settings there would be a button that leads nowhere, or a service that nobody can enter. */
function checkOpenId(config: Config): void {
  const together = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
  const missing = together.filter((name) => config[name] === '');
  if (missing.length === together.length) {
    if (config.OIDC_ONLY) throw new WrongSetting('OIDC_ONLY needs an OIDC_ISSUER; set that one too.');
    return;
  }
  if (missing.length > 0)
    throw new WrongSetting(`${together.join(', ')} go together; ${missing.join(' and ')} must be set too.`);
  if (config.PUBLIC_URL === '')
    throw new WrongSetting('OIDC_ISSUER needs PUBLIC_URL: the issuer sends people back to that address.');
}

/** For a process that listens on both ports. A worker alone has no API. */
export function refuseSharedPort({ PORT, METRICS_PORT }: Config): void {
  if (METRICS_PORT && METRICS_PORT === PORT)
    throw new WrongSetting(`METRICS_PORT must be another port than PORT; both are ${PORT}.`);
}

function readEnv(path: string): string {
  try {
    // Windows editors put a byte order mark first, which would be read as part of the first name.
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    throw new WrongSetting(`${path} cannot be read: ${(error as Error).message}.`);
  }
}

/** Whether npm started us: `npm start`, not `node src/cli.ts start`. */
export const isStartedByNpm = (environment: Record<string, string | undefined> = process.env): boolean =>
  environment.npm_lifecycle_event !== undefined;

function text(value: string): string {
  return value;
}

function whole(least: number, most: number) {
  return (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= least && number <= most))
      throw new Error(`must be a whole number from ${least} to ${most}`);
    return number;
  };
}

function optionalPort(value: string): number | null {
  return value === '' ? null : whole(0, 65_535)(value);
}

function boolean(value: string): boolean {
  if (/^(true|1|yes|on)$/i.test(value)) return true;
  if (/^(false|0|no|off)$/i.test(value)) return false;
  throw new Error('must be true or false');
}

/**
 * Returns what Fastify expects. Whether proxies are counted or named, addresses that the caller itself put into the
 * header are ignored.
 */
function proxies(value: string): boolean | number | string[] {
  if (/^\d+$/.test(value)) return value === '0' ? false : Number(value);
  if (/^(true|yes|on|false|no|off)$/i.test(value)) return boolean(value);
  const named = list(value);
  if (named.length > 0 && named.every(isAddressOrRange)) return named;
  throw new Error('must be true, false, a number of proxies, or a list of addresses or CIDRs');
}

function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    more.length === 0 && most > 0 && (bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= most))
  );
}

function oneOf<const Values extends readonly string[]>(...values: Values) {
  return (value: string): Values[number] => {
    if (!values.includes(value)) throw new Error(`must be one of ${values.join(', ')}`);
    return value;
  };
}

/** The scheme and host, with the port unless it is the scheme's default: as browsers send origins. */
function origins(value: string): string[] {
  return list(value).map((entry) => {
    if (entry === '*') return entry;
    const origin = URL.canParse(entry) ? new URL(entry).origin : 'null';
    if (!/^https?:/.test(origin) || entry.toLowerCase().replace(/\/$/, '') !== origin)
      throw new Error(`must be origins such as https://app.example.com, or *; ${entry} is not one`);
    return origin;
  });
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function delays(value: string): number[] {
  const entries = list(value);
  if (entries.length !== 4)
    throw new Error(
      'must be four waits in milliseconds, separated by commas (five attempts are made in all)',
    );
  return entries.map(whole(0, 7 * 86_400_000));
}

function publicUrl(value: string): string {
  if (value === '') return '';
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) {
    throw new Error('must be an http or https address such as https://rent.example.com');
  }
  return value.replace(/\/+$/, '');
}

/** Returns the contact as a URI, which security.txt requires. */
function securityContact(value: string): string {
  if (value === '') return '';
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(value)) return `mailto:${value}`;
  if (/^(https:\/\/|mailto:)\S+$/.test(value) && URL.canParse(value)) return value;
  throw new Error('must be an e-mail address, or an https address such as https://example.com/security');
}

/** Removes a slash at the end, because the same issuer is written both ways. */
function issuer(value: string): string {
  if (value === '') return '';
  const url = URL.canParse(value) ? new URL(value) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isNearby(url.hostname));
  if (url === null || !isSafe || url.search !== '' || url.hash !== '')
    throw new Error(
      'must be an https address such as https://login.example.com (http only within a network)',
    );
  return value.replace(/\/+$/, '');
}

/**
 * Whether the host is a name without a dot, or not a public address. Nobody needs a certificate to try it out there.
 */
function isNearby(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? !bare.includes('.') : !isPublicAddress(bare);
}

function scopes(value: string): string[] {
  const named = value.split(/\s+/);
  if (!named.includes('openid')) throw new Error('must contain openid');
  return named;
}

function databaseUrl(value: string): string {
  if (value !== '' && !/^postgres(ql)?:\/\//.test(value)) {
    throw new Error('must be a Postgres address such as postgres://user:password@host:5432/tenure');
  }
  // As pg reads it: a user without a host (…@/tenure?host=/folder) means a socket.
  if (value !== '' && !URL.canParse(value.replace('@/', '@host/'))) {
    throw new Error(
      'must be a Postgres address such as postgres://user:password@host:5432/tenure; in a password, write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25',
    );
  }
  return value;
}

function secretKey(value: string): string {
  if (value !== '' && value.length < 32) throw new Error('must have at least 32 characters');
  return value;
}

function passphrase(value: string): string {
  if (value !== '' && value.length < 12) throw new Error('must have at least 12 characters');
  return value;
}

function secretKeys(value: string): string[] {
  const keys = list(value);
  if (keys.some((key) => key.length < 32))
    throw new Error('must be keys of at least 32 characters each, separated by commas');
  return keys;
}
