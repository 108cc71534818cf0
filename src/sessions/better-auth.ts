import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { hashPassword, verifyPassword } from '../users/passwords.ts';
import { leastPasswordLength, mostPasswordLength } from '../users/users.schema.ts';
import { renewSignature } from './cookie-signature.ts';
import type { Visitor } from './visitor.ts';

/** Set-Cookie values to pass on. */
export type Cookies = string[];

export interface Identity {
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
 * What better-auth does for us: it checks passwords, makes and ends sessions, signs their
 * cookies. This is the only file that knows it (`passwords.ts` knows how it hashes), and its own HTTP endpoints are not
 * mounted: nothing of it can be reached but these four.
 */
export interface Auth {
  /** The name of the session's cookie. */
  readonly cookieName: string;
  /** The person of the visitor's cookie, or null; and the cookie again where its life was prolonged (or ended). */
  identify(visitor: Visitor): Promise<{ identity: Identity | null; cookies: Cookies }>;
  /** Null where e-mail and password do not fit together: which of them is wrong is not told, nor does it show in the time taken. */
  signIn(email: string, password: string, visitor: Visitor): Promise<Opened | null>;
  signOut(visitor: Visitor): Promise<Cookies>;
  rename(name: string, visitor: Visitor): Promise<void>;
}

const sessionSeconds = 30 * 86_400;
/** A session in use is prolonged once a day. */
const prolongAfterSeconds = 86_400;

export function createAuth(config: Config, db: Database, secrets: SecretBox, log: Log): Auth {
  const secure = config.PUBLIC_URL.startsWith('https:');
  const loading = load(config, db, secrets, log, secure);
  // Whoever needs it is told; until then nobody is to blame.
  loading.catch(() => undefined);
  const cookieName = `${secure ? '__Secure-' : ''}${cookiePrefix}.session_token`;

  /** Only what we put in: a client cannot pass itself off as another address. */
  const headersOf = ({ cookie, userAgent, ip }: Visitor): Headers =>
    new Headers({
      cookie: renewSignature(cookie, cookieName, secrets.sessionSecrets),
      'user-agent': userAgent,
      [clientAddressHeader]: ip,
    });

  return {
    cookieName,
    async identify(visitor) {
      const { api, isAPIError } = await loading;
      const { headers, response } = await api
        .getSession({ headers: headersOf(visitor), returnHeaders: true })
        .catch((error: unknown) => {
          // It hides why it could not read the session, and only the database can be why.
          throw isAPIError(error) && error.statusCode >= 500 ? unavailable() : error;
        });
      const identity = response && {
        sessionId: response.session.id,
        userId: response.user.id,
        name: response.user.name,
        email: response.user.email,
      };
      return { identity, cookies: headers.getSetCookie() };
    },
    async signIn(email, password, visitor) {
      const { api, refusable } = await loading;
      const result = await refusable(
        api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true }),
      );
      return result && { userId: result.response.user.id, cookies: result.headers.getSetCookie() };
    },
    async signOut(visitor) {
      const { api } = await loading;
      const { headers } = await api.signOut({ headers: headersOf(visitor), returnHeaders: true });
      return headers.getSetCookie();
    },
    async rename(name, visitor) {
      const { api } = await loading;
      await api.updateUser({ body: { name }, headers: headersOf(visitor) });
    },
  };
}

/** Its modules take half a second to load: too long for every command, and for a start that others wait for. */
async function load(config: Config, db: Database, secrets: SecretBox, log: Log, secure: boolean) {
  const [{ betterAuth }, { isAPIError }] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
  ]);
  const { api } = betterAuth(options(config, db, secrets, log, secure));

  /** A refusal becomes null; a fault stays one. */
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
    // Never reached: our own limits stand before every call (attempts.ts), and no route of its is mounted.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      // People are made by our own verb, together with their account or membership in one transaction.
      disableSignUp: true,
      minPasswordLength: leastPasswordLength,
      maxPasswordLength: mostPasswordLength,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...times } },
    session: {
      modelName: 'sessions',
      expiresIn: sessionSeconds,
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
      // joins: a session and its person in one statement.
      database: { generateId: newId, validateSchema: false, joins: true },
    },
  };
}
