import type { Role } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { id, publicId, publicObject, text, timestamp } from '../db/records/json.ts';
import { type Sql, sql } from '../db/sql.ts';

const memberFields: Sql = sql`${publicId('mem', 'm.id')} as id,
  ${publicObject('u', [id('usr', 'u.id'), text('u.name'), text('u.email')])} as "user",
  m.role, ${timestamp('m.created_at')} as created_at`;
/** Owners see who would be easy to impersonate. It is nobody else's business. */
const ownersFields: Sql = sql`${memberFields}, u.two_factor_enabled as two_factor`;
const othersFields: Sql = sql`${memberFields}, null::boolean as two_factor`;

/** A JSON array, oldest member first. */
export async function listMembers(db: Db, accountId: string, forOwner: boolean): Promise<string> {
  const [row] = await db.query<{ json: string }>(sql`
    select coalesce(json_agg(row_to_json(member)), '[]')::text as json from (
      select ${forOwner ? ownersFields : othersFields} from members m join users u on u.id = m.user_id
      where m.account_id = ${accountId} order by m.id) member`);
  return row?.json ?? '[]';
}

/** The member as owners see it, because only they change members. */
export async function memberJson(db: Db, accountId: string, id: string): Promise<string | null> {
  const [row] = await db.query<{ json: string }>(sql`
    select row_to_json(member)::text as json from (
      select ${ownersFields} from members m join users u on u.id = m.user_id
      where m.account_id = ${accountId} and m.id = ${id}) member`);
  return row?.json ?? null;
}

export async function findMember(
  tx: Db,
  accountId: string,
  id: string,
): Promise<{ userId: string; email: string; role: Role } | null> {
  const [row] = await tx.query<{ userId: string; email: string; role: Role }>(sql`
    select m.user_id as "userId", u.email, m.role from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and m.id = ${id}`);
  return row ?? null;
}

/** The membership of a person. */
export async function findMemberOf(
  tx: Db,
  accountId: string,
  userId: string,
): Promise<{ id: string; email: string; role: Role } | null> {
  const [row] = await tx.query<{ id: string; email: string; role: Role }>(sql`
    select m.id, u.email, m.role from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and m.user_id = ${userId}`);
  return row ?? null;
}

export async function isOwner(tx: Db, accountId: string, userId: string): Promise<boolean> {
  const rows = await tx.query(sql`
    select from members where account_id = ${accountId} and user_id = ${userId} and role = 'owner'`);
  return rows.length > 0;
}

export async function countOwners(tx: Db, accountId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::integer as count from members where account_id = ${accountId} and role = 'owner'`);
  return row?.count ?? 0;
}

export async function setRole(tx: Db, accountId: string, id: string, role: Role): Promise<void> {
  await tx.query(sql`update members set role = ${role} where account_id = ${accountId} and id = ${id}`);
}

export async function deleteMember(tx: Db, accountId: string, id: string): Promise<void> {
  await tx.query(sql`delete from members where account_id = ${accountId} and id = ${id}`);
}

export interface InvitationRow {
  id: string;
  email: string;
  role: Role;
  expires_at: string;
  created_at: string;
}

const invitationFields: Sql = sql`id, email, role, ${timestamp('expires_at')} as expires_at, ${timestamp('created_at')} as created_at`;

/** Unused invitations, expired ones included; newest first. */
export function listInvitations(db: Db, accountId: string): Promise<InvitationRow[]> {
  return db.query(sql`
    select ${invitationFields} from invitations
    where account_id = ${accountId} and status = 'pending' order by id desc`);
}

export async function isMember(db: Db, accountId: string, email: string): Promise<boolean> {
  const rows = await db.query(sql`
    select from members m join users u on u.id = m.user_id
    where m.account_id = ${accountId} and u.email = ${email}`);
  return rows.length > 0;
}

interface NewInvitation {
  id: string;
  accountId: string;
  email: string;
  role: Role;
  inviterId: string;
  expiresAt: Date;
  createdAt: Date;
}

export async function insertInvitation(tx: Db, i: NewInvitation): Promise<InvitationRow> {
  const [row] = await tx.query<InvitationRow>(sql`
    with made as (
      insert into invitations (id, account_id, email, role, inviter_id, expires_at, created_at)
      values (${i.id}, ${i.accountId}, ${i.email}, ${i.role}, ${i.inviterId}, ${i.expiresAt}, ${i.createdAt})
      returning *)
    select ${invitationFields} from made`);
  if (!row) throw new Error('An inserted invitation returned no row.');
  return row;
}

type Which = { id: string } | { email: string } | { inviterId: string };

/** Returns the addresses of those that were open. */
export async function cancelInvitations(tx: Db, accountId: string, which: Which): Promise<string[]> {
  const condition =
    'id' in which
      ? sql`id = ${which.id}`
      : 'email' in which
        ? sql`email = ${which.email}`
        : sql`inviter_id = ${which.inviterId}`;
  const rows = await tx.query<{ email: string }>(sql`
    update invitations set status = 'canceled'
    where account_id = ${accountId} and status = 'pending' and ${condition} returning email`);
  return rows.map(({ email }) => email);
}

interface OpenInvitationRow {
  account_id: string;
  account_name: string;
  email: string;
  role: Role;
  expires_at: string;
  user_exists: boolean;
}

/** Null if it was used or cancelled, or has expired. */
export async function findOpenInvitation(db: Db, id: string, now: Date): Promise<OpenInvitationRow | null> {
  const [row] = await db.query<OpenInvitationRow>(sql`
    select i.account_id, a.name as account_name, i.email, i.role, ${timestamp('i.expires_at')} as expires_at,
      exists (select from users u where u.email = i.email) as user_exists
    from invitations i join accounts a on a.id = i.account_id
    where i.id = ${id} and i.status = 'pending' and i.expires_at > ${now} and a.closed_at is null`);
  return row ?? null;
}

/** If several callers try at once, only one gets it. */
export async function spendInvitation(
  tx: Db,
  id: string,
  now: Date,
): Promise<{ accountId: string; role: Role } | null> {
  const [row] = await tx.query<{ accountId: string; role: Role }>(sql`
    update invitations set status = 'accepted'
    where id = ${id} and status = 'pending' and expires_at > ${now}
    returning account_id as "accountId", role`);
  return row ?? null;
}
