import type { App } from '../app.ts';
import { AppError, notFound } from '../errors.ts';
import { single, visitorRoute } from '../http/routes/route.ts';
import type { OpenId } from '../sessions/openid.ts';
import { singleOf } from '../shapes.ts';
import { letIn } from './let-in.ts';
import { OpenIdBegin, OpenIdBegun, OpenIdFinish, OpenIdFinished } from './openid.schema.ts';
import { admit, explain, noAnswer } from './openid.ts';

const tag = 'Session';

function issuerOf(app: App): OpenId {
  if (app.auth.openid === null) throw notFound();
  return app.auth.openid;
}

/** A refusal counts towards the limit as a wrong password does; an outage does not. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status === 403;

export const openIdRoutes = [
  visitorRoute({
    method: 'POST',
    path: '/sign-in/openid',
    permission: 'write',
    tag,
    summary: 'Start signing in with OpenID Connect',
    description: 'The browser goes to the returned address, and comes back to `/sign-in/return`.',
    body: OpenIdBegin,
    success: 200,
    response: singleOf(OpenIdBegun),
    async handle({ app, body, visitor, now }) {
      const openid = issuerOf(app);
      app.auth.signUps.begin(visitor.ip, now);
      const intent = { next: body.next, invitation: body.invitation ?? null, timeZone: body.time_zone };
      const begun = await openid.begin(intent, visitor);
      if (begun === null) throw noAnswer(app.config);
      return { ...single(JSON.stringify({ url: begun.url })), cookies: begun.cookies };
    },
  }),
  visitorRoute({
    method: 'POST',
    path: '/sign-in/openid/finish',
    permission: 'write',
    tag,
    summary: 'Finish signing in with OpenID Connect',
    body: OpenIdFinish,
    success: 200,
    response: singleOf(OpenIdFinished),
    async handle({ app, body, visitor, now }) {
      const openid = issuerOf(app);
      const succeeded = app.auth.attempts.beginAt(visitor.ip, now);
      const outcome = await openid
        .finish(body, visitor, (vouched, intent) => admit(app, vouched, intent, visitor.address, now))
        .catch((error: unknown) => {
          if (!isRefusal(error)) succeeded();
          throw error;
        });
      if (outcome !== null && 'failure' in outcome) throw explain(outcome.failure, app.config);
      succeeded();
      if (outcome === null) throw noAnswer(app.config);
      const entered = await app.auth.sessions.enter(outcome.cookies, visitor);
      const { cookies } = await letIn(app, visitor, entered, now);
      return { ...single(JSON.stringify({ next: outcome.admitted.next })), cookies };
    },
  }),
];
