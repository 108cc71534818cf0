import type { IncomingMessage } from 'node:http';
import {
  Events,
  type MutableRedirectUri,
  type MutableResponse,
  type MutableToken,
  OAuth2Server,
  type TokenRequestIncomingMessage,
} from 'oauth2-mock-server';

type Claims = Record<string, unknown>;

/** An issuer of OpenID Connect on this machine. It signs everybody in at once, as the person that the test names. */
export interface Issuer {
  url: string;
  server: OAuth2Server;
  /** The settings of a service that uses this issuer. */
  settings: Record<string, string>;
  /** Whom it signs in from now on: the claims of the token. */
  says(claims: Claims): void;
  /** Changes its next answer to a code. */
  answersOnce(change: (body: Claims) => void): void;
  close(): Promise<void>;
}

export async function startIssuer(port = 0): Promise<Issuer> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(port, 'localhost');
  const url = server.issuer.url ?? '';
  let said: Claims = {};
  const byCode = new Map<string, Claims>();
  server.service.on(
    Events.BeforeAuthorizeRedirect,
    (to: MutableRedirectUri, { url: asked }: IncomingMessage) => {
      const named = new URL(asked ?? '', url).searchParams.get('claims');
      byCode.set(to.url.searchParams.get('code') ?? '', named === null ? said : JSON.parse(named));
    },
  );
  server.service.on(
    Events.BeforeTokenSigning,
    ({ payload }: MutableToken, { body }: TokenRequestIncomingMessage) => {
      Object.assign(payload, byCode.get(body.code ?? ''));
    },
  );
  return {
    url,
    server,
    settings: {
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: 'tenure',
      OIDC_CLIENT_SECRET: 'a secret of the client',
      OIDC_NAME: 'Office Login',
      PUBLIC_URL: 'http://rent.test',
    },
    says: (claims) => {
      said = claims;
    },
    answersOnce: (change) => {
      server.service.once(Events.BeforeResponse, ({ body }: MutableResponse) => {
        if (typeof body === 'object') change(body);
      });
    },
    close: () => server.stop(),
  };
}

/** What the issuer's redirect brings back to the browser that followed the link, possibly as another person. */
export async function visitIssuer(link: string, claims?: Claims): Promise<Record<string, string>> {
  const url = new URL(link);
  if (claims) url.searchParams.set('claims', JSON.stringify(claims));
  const { headers } = await fetch(url, { redirect: 'manual' });
  return Object.fromEntries(new URL(headers.get('location') ?? '').searchParams);
}
