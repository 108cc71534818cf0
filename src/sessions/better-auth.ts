import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import { unavailable } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { hashPassword, verifyPassword } from '../users/passwords.ts';
import { leastPasswordLength, mostPasswordLength } from '../users/users.schema.ts';
import { loadPlugins } from './better-auth-plugins.ts';
import { readSigned, renewSignature } from './cookie-signature.ts';
import { endOf, isToProlong, keptSeconds, lastEndOf, prolongAfterSeconds, type Times } from './lifetime.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { secretVersions } from './secret-versions.ts';
import type { Visitor } from './visitor.ts';

/** Set-Cookie values to pass on. */
export type Cookies = string[];

interface Identity extends Times {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
}

export interface Opened {
  userId: string;
  cookies: Cookies;
}

/** The password was right, and a code is asked for. The cookie names the challenge and opens nothing. */
export interface CodeWanted {
  userId: null;
  cookies: Cookies;
}

/** Why a code opened nothing: it was wrong, or the challenge has ended. */
export type RefusedCode = 'wrong' | 'over';

/** What a browser is asked to sign, in WebAuthn's form, and the cookie that must come with the answer. */
export interface Ceremony {
  options: object;
  cookies: Cookies;
}

/**
 * What better-auth does for us: it checks passwords, codes and passkeys, makes and ends sessions, and signs their
 * cookies. Only this file, `better-auth-plugins.ts` and `openid.ts` know it (`passwords.ts` knows how it hashes, and
 * `app-codes.ts` how it encrypts). Its own HTTP endpoints are not mounted, so only these functions can be reached.
 */
export interface Auth {
  /** The name of the session's cookie. */
  readonly cookieName: string;
  /**
   * The person that the visitor's cookie belongs to, or null. With a new cookie if the session was prolonged or has
   * ended.
   */
  identify(visitor: Visitor): Promise<{ identity: Identity | null; cookies: Cookies }>;
  /** Null if e-mail address and password do not match. Neither the answer nor its time shows which one is wrong. */
  signIn(email: string, password: string, visitor: Visitor): Promise<Opened | CodeWanted | null>;
  /** Opens a session without asking for anything. The caller has to know who the person is. */
  open(userId: string, visitor: Visitor): Promise<Opened>;
  signOut(visitor: Visitor): Promise<Cookies>;
  rename(name: string, visitor: Visitor): Promise<void>;
  /** The challenge that the visitor was given after their password; null if it is not from us. */
  challengeOf(visitor: Visitor): string | null;
  /** The second step: a code of the authenticator app, or a recovery code, which is used up. */
  signInWithCode(code: string, trustDevice: boolean, visitor: Visitor): Promise<Opened | RefusedCode>;
  /**
   * Makes a secret for an authenticator app. It counts only once a code has been right. Returns its otpauth: address.
   */
  makeAppSecret(password: string | undefined, visitor: Visitor): Promise<string | null>;
  beginPasskeySignIn(visitor: Visitor): Promise<Ceremony>;
  /** Null if the passkey is unknown, or the answer was not made by it, for us, just now. */
  signInWithPasskey(credential: SignedCredential, visitor: Visitor): Promise<Opened | null>;
  beginPasskey(visitor: Visitor): Promise<Ceremony>;
  /** The id (uuid) of the new passkey; null as above. */
  addPasskey(name: string, credential: NewCredential, visitor: Visitor): Promise<string | null>;
}

/** What a browser answers, in WebAuthn's JSON. */
interface Credential<Response> {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults: object;
  response: Response;
}
export type SignedCredential = Credential<{
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
}>;
export type NewCredential = Credential<{ clientDataJSON: string; attestationObject: string }>;

export function createAuth(config: Config, db: Database, secrets: SecretBox, log: Log): Auth {
  const secure = config.PUBLIC_URL.startsWith('https:');
  const loading = load(config, db, secrets, log, secure);
  // A failure is thrown when it is awaited. Until then it must not count as unhandled.
  loading.catch(() => undefined);
  const prefix = `${secure ? '__Secure-' : ''}${cookiePrefix}`;
  const cookieName = `${prefix}.session_token`;

  const headersOf = (visitor: Visitor): Headers =>
    ownHeaders({ ...visitor, cookie: renewSignature(visitor.cookie, cookieName, secrets.sessionSecrets) });

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
  /** For actions without a session: an existing session must not be taken for that of the person in question. */
  const withoutSession = (visitor: Visitor): Visitor => ({
    ...visitor,
    cookie: visitor.cookie
      .split(';')
      .filter((part) => !part.trimStart().startsWith(`${cookieName}=`))
      .join(';'),
  });
  /** WebAuthn signs the page's origin. */
  const headersOfPage = (visitor: Visitor): Headers => {
    const headers = headersOf(visitor);
    headers.set('origin', new URL(visitor.origin).origin);
    return headers;
  };

  return {
    cookieName,
    async identify(visitor) {
      const { isAPIError } = await loading;
      // First without prolonging it, because a session that has ended must not be revived.
      const { headers, response } = await getSession(visitor, { prolong: false }).catch((error: unknown) => {
        // better-auth hides why it could not read the session. Only the database can be the reason.
        throw isAPIError(error) && error.statusCode >= 500 ? unavailable() : error;
      });
      if (!response) return { identity: null, cookies: headers.getSetCookie() };
      const { session, user } = response;
      const times = { createdAt: session.createdAt, lastUsedAt: session.updatedAt };
      // By the clock that better-auth uses, too.
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
      // If nothing can be written, or the session is being ended, the person may still read.
      const prolonged = await getSession(visitor, { prolong: true }).catch(() => null);
      return { identity, cookies: prolonged ? cookiesUntil(lastEndOf(times), now, prolonged.headers) : [] };
    },
    async signIn(email, password, visitor) {
      const { api, refusable } = await loading;
      const result = await refusable(
        api.signInEmail({ body: { email, password }, headers: headersOf(visitor), returnHeaders: true }),
      );
      if (result === null) return null;
      const cookies = result.headers.getSetCookie();
      // The session that it made before it saw that a code is wanted has been ended.
      if ('twoFactorRedirect' in result.response)
        return { userId: null, cookies: cookies.filter((cookie) => !opensSession(cookie)) };
      return { userId: result.response.user.id, cookies };
    },
    async open(userId, visitor) {
      const { api } = await loading;
      const { headers } = await api.openSession({
        body: { userId },
        headers: headersOf(withoutSession(visitor)),
        returnHeaders: true,
      });
      return { userId, cookies: headers.getSetCookie() };
    },
    signOut,
    async rename(name, visitor) {
      const { api } = await loading;
      await api.updateUser({ body: { name }, headers: headersOf(visitor) });
    },
    challengeOf({ cookie }) {
      const named = readSigned(cookie, `${prefix}.two_factor`, secrets.sessionSecrets[0]);
      // The same secret signs other cookies, whose values could be put into this one.
      return named !== null && /^2fa-(?!attempts-)/.test(named) ? named : null;
    },
    async signInWithCode(code, trustDevice, visitor) {
      const { api, refusal } = await loading;
      const headers = headersOf(withoutSession(visitor));
      try {
        const { response, headers: set } = isAppCode(code)
          ? await api.verifyTOTP({ body: { code, trustDevice }, headers, returnHeaders: true })
          : await api.verifyBackupCode({
              body: { code: hashRecoveryCode(code), trustDevice },
              headers,
              returnHeaders: true,
            });
        return { userId: response.user.id, cookies: set.getSetCookie() };
      } catch (error) {
        return refusedCodes[refusal(error)] ?? 'wrong';
      }
    },
    async makeAppSecret(password, visitor) {
      const { api, refusable } = await loading;
      const made = await refusable(
        api.enableTwoFactor({
          body: { method: 'totp', ...(password && { password }) },
          headers: headersOf(visitor),
        }),
      );
      return made && 'totpURI' in made ? made.totpURI : null;
    },
    async beginPasskeySignIn(visitor) {
      const { api } = await loading;
      const { response, headers } = await api.generatePasskeyAuthenticationOptions({
        headers: headersOf(withoutSession(visitor)),
        returnHeaders: true,
      });
      return { options: { ...response, userVerification: 'required' }, cookies: headers.getSetCookie() };
    },
    async signInWithPasskey(credential, visitor) {
      const { api, refusable } = await loading;
      const result = await refusable(
        api.verifyPasskeyAuthentication({
          body: { response: credential },
          headers: headersOfPage(withoutSession(visitor)),
          returnHeaders: true,
        }),
      );
      return result && { userId: result.response.user.id, cookies: result.headers.getSetCookie() };
    },
    async beginPasskey(visitor) {
      const { api } = await loading;
      const { response, headers } = await api.generatePasskeyRegistrationOptions({
        headers: headersOf(visitor),
        returnHeaders: true,
      });
      return { options: response, cookies: headers.getSetCookie() };
    },
    async addPasskey(name, credential, visitor) {
      const { api, refusal } = await loading;
      try {
        const { id } = await api.verifyPasskeyRegistration({
          body: { response: credential, name },
          headers: headersOfPage(visitor),
        });
        return id;
      } catch (error) {
        refusal(error);
        return null;
      }
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

const opensSession = (cookie: string): boolean =>
  /^[^=]*session_token=/.test(cookie) && !/;\s*max-age=0(;|$)/i.test(cookie);

/** Codes of an app have six digits. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

/** What better-auth says when it refuses a code. */
const refusedCodes: Record<string, RefusedCode> = {
  INVALID_TWO_FACTOR_COOKIE: 'over',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'over',
};

/** Its modules take half a second to load: too long for every command, and for a start that somebody waits for. */
async function load(config: Config, db: Database, secrets: SecretBox, log: Log, secure: boolean) {
  const [{ betterAuth }, { isAPIError }, plugins] = await Promise.all([
    import('better-auth'),
    import('better-auth/api'),
    loadPlugins(),
  ]);
  const { api } = betterAuth({ ...options(config, db, secrets, log, secure), plugins: [...plugins] });

  /** A refusal becomes null; a fault stays a fault. */
  async function refusable<Result>(work: Promise<Result>): Promise<Result | null> {
    try {
      return await work;
    } catch (error) {
      if (isAPIError(error) && error.statusCode < 500) return null;
      throw error;
    }
  }

  /** The name of a refusal. A fault is thrown again. */
  function refusal(error: unknown): string {
    const { code } = (isAPIError(error) ? error.body : undefined) ?? {};
    // If better-auth could not read an answer, it hides what was wrong with it.
    const isFault = !isAPIError(error) || (error.statusCode >= 500 && code !== unreadablePasskey);
    if (isFault) throw error;
    return code ?? '';
  }
  return { api, isAPIError, refusable, refusal };
}

export const cookiePrefix = 'tenure';
const unreadablePasskey = 'FAILED_TO_VERIFY_REGISTRATION';
const clientAddressHeader = 'x-tenure-client-address';

/** Only headers that we set, so that a client cannot pretend to have another address. */
export const ownHeaders = ({ cookie, userAgent, ip }: Visitor): Headers =>
  new Headers({ cookie, 'user-agent': userAgent, [clientAddressHeader]: ip });

export function options(config: Config, db: Database, secrets: SecretBox, log: Log, secure: boolean) {
  const times = { createdAt: 'created_at', updatedAt: 'updated_at' };
  return {
    appName: 'Tenure',
    secrets: secretVersions(secrets),
    baseURL: config.PUBLIC_URL || 'http://localhost',
    database: db.pool,
    telemetry: { enabled: false },
    logger: {
      level: 'error' as const,
      log: (_level: string, message: string, ...more: unknown[]) => {
        const err = more.find((part) => part instanceof Error);
        // A passkey's answer that makes no sense is the sender's mistake.
        log[message.startsWith('Failed to verify') ? 'info' : 'error']({ err }, `better-auth: ${message}`);
      },
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
      // Our routes ask for the password instead.
      freshAge: 0,
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
    verification: {
      modelName: 'verifications',
      fields: { expiresAt: 'expires_at', ...times },
      // It would delete all expired rows in one statement, while somebody signs in.
      disableCleanup: true,
    },
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
