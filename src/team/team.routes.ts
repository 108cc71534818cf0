import { z } from 'zod';
import type { Caller } from '../caller.ts';
import { AppError, forbidden, notFound } from '../errors.ts';
import { personRoute, route, single, visitorRoute } from '../http/routes/route.ts';
import { describeSession } from '../sessions/session-view.ts';
import { Session } from '../sessions/sessions.schema.ts';
import { singleOf } from '../shapes.ts';
import {
  CancelledInvitation,
  Invitation,
  InvitationCreate,
  Member,
  MemberPatch,
  MemberRemoval,
  OpenInvitation,
  RemovedMember,
  Team,
  TeamLeave,
} from './team.schema.ts';
import {
  cancelInvitation,
  changeRole,
  describeTeam,
  invite,
  join,
  leaveTeam,
  openInvitation,
  removeMember,
} from './team.ts';

const tag = 'Team';

function owner({ userId, ...caller }: Caller) {
  if (userId === undefined) throw forbidden();
  return { ...caller, userId };
}

export const teamRoutes = [
  route({
    method: 'GET',
    path: '/team',
    mode: 'live',
    permission: 'read',
    tag,
    summary: 'The team and who is invited',
    success: 200,
    response: singleOf(Team),
    async handle({ app, db, caller, visitor, now }) {
      const links = caller.role === 'owner' ? { secrets: app.secrets, origin: visitor.origin } : null;
      return single(await describeTeam(db, caller.accountId, links, now));
    },
  }),
  route({
    method: 'POST',
    path: '/team/invitations',
    mode: 'live',
    permission: 'write',
    access: 'owner',
    // The answer contains a link that lets somebody in.
    replayable: false,
    tag,
    summary: 'Invite somebody',
    body: InvitationCreate,
    success: 201,
    response: singleOf(Invitation),
    conflicts: 'The person is already in the team.',
    async handle({ app, db, caller, body, visitor, now }) {
      const links = { secrets: app.secrets, origin: visitor.origin };
      return single(await invite(db, owner(caller), body, links, now));
    },
  }),
  route({
    method: 'DELETE',
    path: '/team/invitations/:id',
    mode: 'live',
    permission: 'write',
    access: 'owner',
    tag,
    summary: 'Cancel an invitation',
    id: 'inv',
    success: 200,
    response: singleOf(CancelledInvitation),
    handle: async ({ db, caller, id }) => single(await cancelInvitation(db, caller, id)),
  }),
  route({
    method: 'PATCH',
    path: '/team/members/:id',
    mode: 'live',
    permission: 'write',
    access: 'owner',
    tag,
    summary: 'Change what a person may do',
    id: 'mem',
    body: MemberPatch,
    success: 200,
    response: singleOf(Member),
    conflicts: 'It is the only owner.',
    async handle({ app, db, caller, id, body, visitor }) {
      const json = await changeRole(db, owner(caller), id, body.role);
      app.auth.sessions.forget(visitor);
      return single(json);
    },
  }),
  route({
    method: 'DELETE',
    path: '/team/members/:id',
    mode: 'live',
    permission: 'write',
    access: 'owner',
    tag,
    summary: 'Remove a person from the team',
    id: 'mem',
    query: MemberRemoval,
    success: 200,
    response: singleOf(RemovedMember),
    conflicts: 'It is the only owner.',
    async handle({ app, db, caller, id, query, visitor, now }) {
      const json = await removeMember(db, owner(caller), id, { revokeKeys: query.revoke_keys, now });
      app.keys.lookAgain(caller.accountId);
      app.auth.sessions.forget(visitor);
      return single(json);
    },
  }),
  personRoute({
    method: 'POST',
    path: '/accounts/:id/leave',
    permission: 'write',
    tag,
    summary: 'Leave the team of an account',
    id: 'acct',
    body: TeamLeave,
    success: 200,
    response: singleOf(RemovedMember),
    conflicts: 'You are the only owner.',
    async handle({ app, db, id: accountId, body, signedIn, visitor, now }) {
      const { userId, name, memberships } = signedIn;
      // Strangers do not even get to take the lock.
      if (!memberships.some((membership) => membership.accountId === accountId)) throw notFound();
      const actor = { type: 'person', id: userId, name } as const;
      const leaver = { accountId, userId, actor, address: visitor.address };
      const json = await leaveTeam(db, leaver, { revokeKeys: body.revoke_keys, now });
      app.keys.lookAgain(accountId);
      app.auth.sessions.forget(visitor);
      return single(json);
    },
  }),
  visitorRoute({
    method: 'GET',
    path: '/invitations/:token',
    permission: 'read',
    tag,
    summary: 'What an invitation is for',
    success: 200,
    response: singleOf(OpenInvitation),
    async handle({ app, db, params, now }) {
      const { id: _, ...shown } = await openInvitation(db, app.secrets, params.token ?? '', now);
      return single(JSON.stringify(shown));
    },
  }),
  personRoute({
    method: 'POST',
    path: '/invitations/:token/accept',
    permission: 'write',
    tag,
    summary: 'Join a team by invitation',
    body: z.object({}),
    success: 200,
    response: singleOf(Session),
    async handle({ app, db, params, signedIn, visitor, now }) {
      const { id, email } = await openInvitation(db, app.secrets, params.token ?? '', now);
      if (email !== signedIn.email) {
        throw new AppError(
          'wrong_invitation',
          `This invitation is for ${email}; sign in with that address to accept it.`,
        );
      }
      await db.transaction(async (tx) => {
        const accountId = await join(tx, id, { ...signedIn, address: visitor.address }, now);
        await app.auth.sessions.activate(tx, signedIn, accountId, visitor);
      });
      return single(await describeSession(app, visitor));
    },
  }),
];
