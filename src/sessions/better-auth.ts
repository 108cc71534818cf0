import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { hashPassword, verifyPassword } from '../users/passwords.ts';
import { leastPasswordLength, mostPasswordLength } from '../users/users.schema.ts';
import { renewSignature } from './cookie-signature.ts';
import { endOf, isToProlong, keptSeconds, lastEndOf, prolongAfterSeconds, type Times } from './lifetime.ts';
import type { Visitor } from './visitor.ts';

/** Set-Cookie values to pass on. */
export type Cookies = string[];

export interface Identity extends Times {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
}

export interface Opened {
  userId: string;
  cookies: Cookies;
}

/**
 * What better-auth does for us: it checks passwords, makes and ends sessions, and signs their cookies. Only this file
 * knows it (`passwords.ts` knows how it hashes). Its own HTTP endpoints are not mounted, so only these four functions
 * can be reached.
 */
export interface Auth {
  /** The name of the session's cookie. */
  readonly cookieName: string;
  /** The person of the visitor's cookie, or null; and a new cookie if the session was prolonged or has ended. */
  identify(visitor: Visitor): Promise<{ identity: Identity | null; cookies: Cookies }>;
  /** Null if e-mail address and password do not match. Neither the answer nor its time shows which one is wrong. */
  signIn(email: string, password: string, visitor: Visitor): Promise<Opened | null>;
  signOut(visitor: Visitor): Promise<Cookies>;
  rename(name: string, visitor: Visitor): Promise<void>;
}

export function createAuth(config: Config, db: Database, secrets: SecretBox, log: Log): Auth {
  const secure = config.PUBLIC_URL.startsWith('https:');
  const loading = load(config, db, secrets, log, secure);
  // A failure is thrown to whoever awaits it. Until then it must not count as unhandled.
  loading.catch(() => undefined);
  const cookieName = `${secure ? '__Secure-' : ''}${cookiePrefix}.session_token`;

  /** Only headers that we set, so that a client cannot pretend to have another address. */
  const headersOf = ({ cookie, userAgent, ip }: Visitor): Headers =>
    new Headers({
      cookie: renewSignature(cookie, cookieName, secrets.sessionSecrets),
      'user-agent': userAgent,
      [clientAddressHeader]: ip,
    });

  const getSession = async (visitor: Visitor, { prolong }: { prolong: boolean }) =>
    (await loading).api.getSession({
      headers: headersOf(visitor),
      query: { disableRefresh: !prolong },
      returnHeaders: true,
    });
  const signOut = async (visitor: Visitor): Promise<Cookies> => {
    const { headers } = await (await loading).api.signOut({
      headers: headersOf(visitor),
      returnHeaders: true,
    });
    return headers.getSetCookie();
  };

  return {
    cookieName,
    async identify(visitor) {
      const { isAPIError } = await loading;
      // First without prolonging it: a session that has ended must not be revived.
      const { headers, response } = await getSession(visitor, { prolong: false }).catch((error: unknown) => {
        // It hides why it could not read the session. Only the database can be the reason.
        throw isAPIError(error) && error.statusCode >= 500 ? unavailable() : error;
      });
      if (!response) return { identity: null, cookies: headers.getSetCookie() };
      const { session, user } = response;
      const times = { createdAt: session.createdAt, lastUsedAt: session.updatedAt };
      // By the clock that better-auth goes by, too.
      const now = new Date();
      if (endOf(times) <= now) return { identity: null, cookies: await signOut(visitor) };
      const identity = {
        sessionId: session.id,
        userId: user.id,
        name: user.name,
        email: user.email,
        ...times,
      };
      if (!isToProlong(session.expiresAt, now)) return { identity, cookies: headers.getSetCookie() };
      // Where nothing can be written, or the session is being ended, the person may still read.
      const prolonged = await getSession(visitor, { prolong: true }).catch(() => null);
      return { identity, cookies: prolonged ? cookiesUntil(lastEndOf(times), now, prolonged.headers) : [] };
    },
    async signIn(email, password, visitor) {
      const { api, refusable } = await loading;
      const result = await refusable(
        api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true }),
      );
      return result && { userId: result.response.user.id, cookies: result.headers.getSetCookie() };
    },
    signOut,
    async rename(name, visitor) {
      const { api } = await loading;
      await api.updateUser({ body: { name }, headers: headersOf(visitor) });
    },
  };
}

/** The browser keeps the cookie no longer than the session can last. */
function cookiesUntil(end: Date, now: Date, headers: Headers): Cookies {
  const most = Math.ceil((end.getTime() - now.getTime()) / 1000);
  return headers
    .getSetCookie()
    .map((cookie) =>
      cookie.replace(/(;\s*Max-Age=)(\d+)/i, (_, name, seconds) => name + Math.min(Number(seconds), most)),
    );
}

/** Its modules take half a second to load: too long for every command, and for a start that somebody waits for. */
async function load(config: Config, db: Database, secrets: SecretBox, log: Log, secure: boolean) {
  const [{ betterAuth }, { isAPIError }] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
  ]);
  const { api } = betterAuth(options(config, db, secrets, log, secure));

  /** A refusal becomes null; a fault stays a fault. */
  async function refusable<Result>(work: Promise<Result>): Promise<Result | null> {
    try {
      return await work;
    } catch (error) {
      if (isAPIError(error) && error.statusCode < 500) return null;
      throw error;
    }
  }
  return { api, isAPIError, refusable };
}

const cookiePrefix = 'tenure';
const clientAddressHeader = 'x-tenure-client-address';

function options(config: Config, db: Database, secrets: SecretBox, log: Log, secure: boolean) {
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return {
    appName: 'Tenure',
    secret: secrets.sessionSecrets[0],
    baseURL: config.PUBLIC_URL || 'http://localhost',
    database: db.pool,
    telemetry: { enabled: false },
    logger: {
      level: 'error' as const,
      log: (_level: string, message: string, ...more: unknown[]) =>
        log.error({ err: more.find((part) => part instanceof Error) }, `better-auth: ${message}`),
    },
    // Never reached: our own limits come before every call (attempts.ts), and none of its routes is mounted.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      // Our own verb creates people, together with their account or membership, in one transaction.
      disableSignUp: true,
      minPasswordLength: leastPasswordLength,
      maxPasswordLength: mostPasswordLength,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...times } },
    session: {
      modelName: 'sessions',
      expiresIn: keptSeconds,
      updateAge: prolongAfterSeconds,
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
    },
    account: {
      modelName: 'credentials',
      fields: {
        userId: 'user_id',
        providerId: 'provider_id',
        accountId: 'provider_account_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
    },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...times } },
    advanced: {
      cookiePrefix,
      useSecureCookies: secure,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' as const, secure, path: '/' },
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
      // joins: reads a session and its person in one statement.
      database: { generateId: newId, validateSchema: false, joins: true },
    },
  };
}
