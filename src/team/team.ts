import { leaveKeys } from '../api-keys/api-keys.ts';
import { audit, type Doer } from '../audit/audit.ts';
import type { Role } from '../caller.ts';
import { days } from '../clock.ts';
import { lockAccount } from '../db/account-lock.ts';
import type { Db } from '../db/connect.ts';
import { AppError, conflict, forbidden, notFound } from '../errors.ts';
import { formatId, idTime, newId } from '../ids.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { addMember } from '../users/users.ts';
import { forgetViewsOf } from '../views/views.ts';
import { readToken, writeToken } from './invitation-token.ts';
import type { Invitation, OpenInvitation } from './team.schema.ts';
import * as store from './team.store.ts';

const invitationMs = days(7);
/** Enough for any team, and too few to test many addresses. */
const mostInvitations = 100;

/** Makes an invitation's link. It is absent for people who may not see it. */
interface Links {
  secrets: SecretBox;
  origin: string;
}

/** JSON of the team: its members, and who is invited. */
export async function describeTeam(
  db: Db,
  accountId: string,
  links: Links | null,
  now: Date,
): Promise<string> {
  const [members, invitations] = await Promise.all([
    store.listMembers(db, accountId, links !== null),
    store.listInvitations(db, accountId),
  ]);
  const shown = invitations.map((row) => describeInvitation(row, links, now));
  return `{"members":${members},"invitations":${JSON.stringify(shown)}}`;
}

function describeInvitation(row: store.InvitationRow, links: Links | null, now: Date): Invitation {
  const expired = Date.parse(row.expires_at) <= now.getTime();
  return {
    id: formatId('inv', row.id),
    email: row.email,
    role: row.role,
    status: expired ? 'expired' : 'pending',
    expires_at: row.expires_at,
    created_at: row.created_at,
    link: links && !expired ? `${links.origin}/invite/${writeToken(row.id, links.secrets)}` : null,
  };
}

/** Invites somebody. If they were invited before, they get a new link, and the old one stops working. */
export function invite(
  db: Db,
  owner: Owner,
  invitation: { email: string; role: Role },
  links: Links,
  now: Date,
): Promise<string> {
  const { accountId, userId } = owner;
  const { email } = invitation;
  return db.transaction(async (tx) => {
    await lockAsOwner(tx, owner);
    if (await store.isMember(tx, accountId, email))
      throw conflict('already_member', `${email} is already in the team.`);
    await store.cancelInvitations(tx, accountId, { email });
    if ((await store.listInvitations(tx, accountId)).length >= mostInvitations) {
      throw conflict(
        'limit_reached',
        `At most ${mostInvitations} invitations can be open; cancel one that is no longer needed.`,
      );
    }
    const id = newId();
    const expiresAt = new Date(now.getTime() + invitationMs);
    await audit(tx, owner, 'invitation.created', {
      subject: email,
      changes: [{ field: 'role', from: null, to: invitation.role }],
    });
    const row = await store.insertInvitation(tx, {
      ...invitation,
      accountId,
      inviterId: userId,
      id,
      expiresAt,
      createdAt: idTime(id),
    });
    return JSON.stringify(describeInvitation(row, links, now));
  });
}

export function cancelInvitation(db: Db, doer: Doer, id: string): Promise<string> {
  return db.transaction(async (tx) => {
    const [subject] = await store.cancelInvitations(tx, doer.accountId, { id });
    if (subject === undefined) throw notFound();
    await audit(tx, doer, 'invitation.cancelled', { subject });
    return JSON.stringify({ id: formatId('inv', id), cancelled: true });
  });
}

export interface Opened extends OpenInvitation {
  id: string;
}

/** Finds a usable invitation by the token of its link. */
export async function openInvitation(db: Db, secrets: SecretBox, token: string, now: Date): Promise<Opened> {
  const id = readToken(token, secrets);
  const row = id && (await store.findOpenInvitation(db, id, now));
  if (!id || !row) throw unusable();
  const { account_name, email, role, expires_at, user_exists } = row;
  return { id, account: { name: account_name }, email, role, expires_at, user_exists };
}

/**
 * Makes the person a member and uses up the invitation. If two people try at once, one learns that it has been used.
 */
export async function join(
  tx: Db,
  invitationId: string,
  person: { userId: string; name: string; address: string },
  now: Date,
): Promise<string> {
  const used = await store.spendInvitation(tx, invitationId, now);
  if (!used) throw unusable();
  const { accountId, role } = used;
  const { userId, name, address } = person;
  await addMember(tx, { accountId, userId, role });
  const actor = { type: 'person', id: userId, name } as const;
  await audit(tx, { accountId, actor, address }, 'member.joined', {
    changes: [{ field: 'role', from: null, to: role }],
  });
  return accountId;
}

const unusable = () =>
  new AppError(
    'invitation_not_found',
    'This invitation does not exist, was used or has expired; ask for a new one.',
  );

/** The owner who changes the team. */
interface Owner extends Doer {
  userId: string;
}

/**
 * Changes to an account's team happen one at a time: two owners must not demote each other at once, and the acting
 * owner cannot have been removed.
 */
async function lockAsOwner(tx: Db, { accountId, userId }: Owner): Promise<void> {
  await lockAccount(tx, accountId);
  if (!(await store.isOwner(tx, accountId, userId))) throw forbidden();
}

export function changeRole(db: Db, owner: Owner, id: string, role: Role): Promise<string> {
  const { accountId } = owner;
  return db.transaction(async (tx) => {
    const member = await findForChange(tx, owner, id, role);
    if (member.role !== role) {
      await store.setRole(tx, accountId, id, role);
      await audit(tx, owner, 'member.role_changed', {
        subject: member.email,
        changes: [{ field: 'role', from: member.role, to: role }],
      });
    }
    if (role !== 'owner') await store.cancelInvitations(tx, accountId, { inviterId: member.userId });
    const json = await store.memberJson(tx, accountId, id);
    if (json === null) throw notFound();
    return json;
  });
}

/** Returns the keys that the person made, because they keep working unless they are revoked as well. */
export function removeMember(
  db: Db,
  owner: Owner,
  id: string,
  { revokeKeys, now }: { revokeKeys: boolean; now: Date },
): Promise<string> {
  const { accountId } = owner;
  return db.transaction(async (tx) => {
    const { userId, email } = await findForChange(tx, owner, id, null);
    await store.deleteMember(tx, accountId, id);
    await audit(tx, owner, 'member.removed', { subject: email });
    const keys = await leaveBehind(tx, owner, userId, revokeKeys ? now : null);
    return JSON.stringify({ id: formatId('mem', id), removed: true, keys });
  });
}

/** A person leaves the team. The keys that they made are returned, and can be revoked, as when somebody is removed. */
export function leaveTeam(
  db: Db,
  leaver: Doer & { userId: string },
  { revokeKeys, now }: { revokeKeys: boolean; now: Date },
): Promise<string> {
  const { accountId, userId } = leaver;
  return db.transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const member = await store.findMemberOf(tx, accountId, userId);
    if (!member) throw notFound();
    if (member.role === 'owner' && (await store.countOwners(tx, accountId)) === 1)
      throw conflict(
        'last_owner',
        'You are the only owner; make somebody else one before you leave, or close the account.',
      );
    // A viewer may not revoke keys when leaving, because that could break programs.
    if (member.role === 'viewer' && revokeKeys) throw forbidden();
    await store.deleteMember(tx, accountId, member.id);
    await audit(tx, leaver, 'member.left', { subject: member.email });
    const keys = await leaveBehind(tx, leaver, userId, revokeKeys ? now : null);
    return JSON.stringify({ id: formatId('mem', member.id), removed: true, keys });
  });
}

/**
 * Deals with what somebody leaves behind: links, which must not let them in again; their own views; and keys, which are
 * revoked if a time is given.
 */
async function leaveBehind(tx: Db, doer: Doer, userId: string, revokedAt: Date | null) {
  await forgetViewsOf(tx, doer.accountId, userId);
  await store.cancelInvitations(tx, doer.accountId, { inviterId: userId });
  return leaveKeys(tx, doer, userId, revokedAt);
}

/** An account always has an owner: the last one can neither be removed nor get another role. */
async function findForChange(tx: Db, owner: Owner, id: string, next: Role | null) {
  const { accountId } = owner;
  await lockAsOwner(tx, owner);
  const member = await store.findMember(tx, accountId, id);
  if (!member) throw notFound();
  if (member.role === 'owner' && next !== 'owner' && (await store.countOwners(tx, accountId)) === 1) {
    throw conflict('last_owner', 'This is the only owner of the account; make somebody else an owner first.');
  }
  return member;
}
