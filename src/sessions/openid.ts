import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Database } from '../db/connect.ts';
import type { Log } from '../log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { type Cookies, cookiePrefix, options, ownHeaders } from './better-auth.ts';
import type { Visitor } from './visitor.ts';

/** What a person wanted when they set off. It comes back with them. */
export interface Intent {
  /** The page they wanted. */
  next: string;
  /** The token of an invitation link. */
  invitation: string | null;
  timeZone: string;
}

/** Somebody the issuer vouches for: its signature, its audience and the nonce of this browser were checked. */
export interface Vouched {
  issuer: string;
  /** The issuer's id for the person, which never changes and is never given to another. */
  subject: string;
  email: string | null;
  emailVerified: boolean;
  name: string | null;
}

/** The person here, or an error that says why they are not let in. */
type Admit = (vouched: Vouched, intent: Intent) => Promise<Admitted>;

export interface Admitted {
  email: string;
  /** Where the person goes now. */
  next: string;
}

/** What the issuer's redirect brought back, as it came. */
interface Returned {
  code?: string | undefined;
  state?: string | undefined;
  iss?: string | undefined;
  error?: string | undefined;
}

type Outcome =
  | { admitted: Admitted; cookies: Cookies }
  /** The issuer's code for what went wrong, or better-auth's. */
  | { failure: string };

/** The page of the dashboard to which the issuer sends people back. */
const returnPath = '/sign-in/return';

/** Signs people in through an issuer of OpenID Connect, with better-auth's plugin. */
export interface OpenId {
  /** The issuer's page, and a cookie that ties the answer to this browser. Null if the issuer does not answer. */
  begin(intent: Intent, visitor: Visitor): Promise<{ url: string; cookies: Cookies } | null>;
  /** Null if the issuer does not answer. */
  finish(returned: Returned, visitor: Visitor, admit: Admit): Promise<Outcome | null>;
}

/** An issuer's endpoints hardly ever move. (Its keys are looked up again when a token names a new one.) */
const rememberMs = 3_600_000;

/** Limits that no answer of an issuer exceeds, in size or in time. */
const mostBytes = 1_000_000;
const connectTimeoutMs = 10_000;
const answerTimeoutMs = 15_000;

const failed = '/failed';

export function createOpenId(config: Config, db: Database, secrets: SecretBox, log: Log): OpenId {
  const opensSession = new RegExp(`^(__Secure-)?${cookiePrefix}\\.session_token=`);
  const providerId = config.OIDC_ISSUER;
  let asked: { until: number; ready: Promise<Ready | null> } | null = null;

  /** If an issuer does not answer, the next person asks it again. People who come at the same time wait together. */
  function ready(): Promise<Ready | null> {
    if (asked !== null && Date.now() < asked.until) return asked.ready;
    const now = {
      until: Date.now() + rememberMs,
      ready: asking.run({}, () => discover(config, db, secrets, log)),
    };
    asked = now;
    const forget = () => {
      if (asked === now) asked = null;
    };
    now.ready.then((found) => found ?? forget(), forget);
    return now.ready;
  }

  return {
    async begin({ next, invitation, timeZone }, visitor) {
      const found = await ready();
      if (found === null) return null;
      const { headers, response } = await found.api.signInSocial({
        body: {
          provider: providerId,
          disableRedirect: true,
          callbackURL: next,
          errorCallbackURL: failed,
          additionalData: { invitation, timeZone },
        },
        headers: ownHeaders(visitor),
        returnHeaders: true,
      });
      return response.url === undefined ? null : { url: response.url, cookies: headers.getSetCookie() };
    },

    async finish({ code, state, iss, error }, visitor, admit) {
      const found = await ready();
      if (found === null) return null;
      let admitted: Admitted | undefined;
      const remember: Admit = async (vouched, intent) => {
        admitted = await admit(vouched, intent);
        return admitted;
      };
      const response = await asking.run({ admit: remember }, () =>
        found.api.callbackOAuth({
          method: 'GET',
          params: { id: providerId },
          query: { code, state, iss, error },
          headers: ownHeaders(visitor),
          asResponse: true,
        }),
      );
      const cookies = response.headers.getSetCookie();
      if (admitted !== undefined && cookies.some((cookie) => opensSession.test(cookie)))
        return { admitted, cookies };
      const [, query] = (response.headers.get('location') ?? '').split('?');
      return { failure: new URLSearchParams(query).get('error') ?? 'unknown' };
    },
  };
}

type Ready = NonNullable<Awaited<ReturnType<typeof discover>>>;

/** Set while the issuer is asked. The plugin calls back without saying for which request. */
const asking = new AsyncLocalStorage<{ admit?: Admit }>();

const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().nullish().catch(null),
  // Some issuers write it as text.
  email_verified: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((is) => is === 'true')])
    .nullish(),
  name: z.string().nullish().catch(null),
});

/** What generateState() has stored. */
const Kept = z.object({ callbackURL: z.string(), invitation: z.string().nullable(), timeZone: z.string() });

let limiting: Promise<void> | undefined;

/**
 * better-auth asks the issuer with the global fetch, and sets no limits. From now on these requests, and no others, go
 * through an agent that does.
 */
async function limitRequests(): Promise<void> {
  const { Agent, getGlobalDispatcher, setGlobalDispatcher } = await import('undici');
  const limited = new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: answerTimeoutMs,
    bodyTimeout: answerTimeoutMs,
    maxResponseSize: mostBytes,
  });
  setGlobalDispatcher(
    getGlobalDispatcher().compose(
      (dispatch) => (options, handler) =>
        asking.getStore() ? limited.dispatch(options, handler) : dispatch(options, handler),
    ),
  );
}

/** Asks the issuer where its endpoints are. Null if it does not say, or speaks for another issuer. */
async function discover(config: Config, db: Database, secrets: SecretBox, log: Log) {
  limiting ??= limitRequests();
  await limiting;
  const [{ betterAuth }, { genericOAuth }, { getOAuthState }] = await Promise.all([
    import('better-auth'),
    import('better-auth/plugins/generic-oauth'),
    import('better-auth/api'),
  ]);
  const { OIDC_ISSUER: issuer, OIDC_TRUST_EMAIL: trusted } = config;
  const base = options(config, db, secrets, log, config.PUBLIC_URL.startsWith('https:'));
  const { api, $context } = betterAuth({
    ...base,
    onAPIError: { errorURL: failed },
    // Our own verb makes and links people. The issuer's tokens are of no use to us, so none is kept.
    account: { ...base.account, accountLinking: { enabled: false }, updateAccountOnSignIn: false },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId: issuer,
            discoveryUrl: `${issuer}/.well-known/openid-configuration`,
            requireIdTokenVerification: true,
            clientId: config.OIDC_CLIENT_ID,
            clientSecret: config.OIDC_CLIENT_SECRET,
            scopes: config.OIDC_SCOPES,
            redirectURI: `${config.PUBLIC_URL}${returnPath}`,
            pkce: true,
            disableSignUp: true,
            accountSubject: ({ profile }) => profile.sub ?? '',
            // Called once the token was verified. Without a token nothing was verified, whatever else the issuer says.
            async getUserInfo({ idToken }) {
              const admit = asking.getStore()?.admit;
              if (idToken === undefined || admit === undefined) return null;
              const { data: claims } = Claims.safeParse(payloadOf(idToken));
              const { data: kept } = Kept.safeParse(await getOAuthState());
              if (claims === undefined || kept === undefined) return null;
              const { sub, email, email_verified, name } = claims;
              const { callbackURL, ...more } = kept;
              const emailVerified = email_verified ?? trusted;
              const vouched = {
                issuer,
                subject: sub,
                email: email ?? null,
                emailVerified,
                name: name ?? null,
              };
              const admitted = await admit(vouched, { next: callbackURL, ...more });
              return { id: sub, sub, email: admitted.email, emailVerified: false, name: '' };
            },
          },
        ],
      }),
    ],
  });
  const { socialProviders } = await $context;
  const found = socialProviders.find(({ id }) => id === issuer);
  if (found === undefined) return null;
  if (found.issuer?.replace(/\/+$/, '') !== issuer) {
    log.error({ issuer: found.issuer }, `OIDC_ISSUER is ${issuer}, but it calls itself by another name`);
    return null;
  }
  return { api };
}

const payloadOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
