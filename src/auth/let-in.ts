import type { App } from '../app.ts';
import { auditPerson } from '../audit/audit.ts';
import type { Cookies } from '../sessions/better-auth.ts';
import { deviceCookie } from '../sessions/known-devices.ts';
import { describeSession } from '../sessions/session-view.ts';
import { withCookies } from '../sessions/sessions.ts';
import type { Visitor } from '../sessions/visitor.ts';

/**
 * What follows every sign-in: it is noted in the person's accounts, and the browser becomes one of their known devices.
 * Returns the session as JSON, and its cookies together with the device's.
 */
export async function letIn(
  app: App,
  visitor: Visitor,
  cookies: Cookies,
  now: Date,
): Promise<{ json: string; cookies: Cookies }> {
  const back = withCookies(visitor, cookies);
  const { signedIn } = await app.auth.sessions.find(back);
  if (signedIn === null) return { json: await describeSession(app, back), cookies };
  await auditPerson(app.db, signedIn, visitor.address, 'person.signed_in');
  const device = deviceCookie(app, visitor, signedIn.userId, now);
  return { json: await describeSession(app, back), cookies: [...cookies, device] };
}
