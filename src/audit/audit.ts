import { isDeepStrictEqual } from 'node:util';
import { type Caller, operator } from '../caller.ts';
import { days } from '../clock.ts';
import type { Db } from '../db/connect.ts';
import { lowestIdAt } from '../ids.ts';
import type { AuditAction } from './audit.schema.ts';
import { deleteEntries, everyAccount, insertEntry } from './audit.store.ts';

/** Who did it, and from where. */
export type Doer = Pick<Caller, 'accountId' | 'actor'> & { address?: string | null };

interface What {
  subject?: string;
  changes?: { field: string; from: unknown; to: unknown }[];
}

/** Notes what was done to an account, in the transaction that does it. */
export const audit = (
  tx: Db,
  { accountId, actor, address }: Doer,
  action: AuditAction,
  { subject, changes }: What = {},
): Promise<void> =>
  insertEntry(tx, {
    accountId,
    actor,
    address: address ?? null,
    action,
    subject: subject ?? null,
    changes: changes === undefined ? null : JSON.stringify(changes),
  });

/** Notes what a person did that concerns each of their accounts, such as signing in. */
export async function auditPerson(
  tx: Db,
  { userId, name, email, memberships }: Person,
  address: string,
  action: AuditAction,
  changes?: What['changes'],
): Promise<void> {
  const actor = { type: 'person', id: userId, name } as const;
  const what = { subject: email, ...(changes && { changes }) };
  for (const { accountId } of memberships) await audit(tx, { accountId, actor, address }, action, what);
}

interface Person {
  userId: string;
  name: string;
  email: string;
  memberships: { accountId: string }[];
}

/** Notes what the operator did to all accounts. */
export const auditEveryAccount = (db: Db, action: AuditAction, subject: string): Promise<void> =>
  db.transaction(async (tx) => {
    for (const accountId of await everyAccount(tx))
      await audit(tx, { accountId, actor: operator }, action, { subject });
  });

/** How two states of some settings differ. */
export const differences = (before: object, after: object): Required<What>['changes'] =>
  Object.entries(after).flatMap(([field, to]) => {
    const from = (before as Record<string, unknown>)[field];
    return isDeepStrictEqual(from, to) ? [] : [{ field, from, to }];
  });

/** Deletes a batch of an account's entries that are older than this number of days. */
export const forgetOldEntries =
  (keptDays: number) =>
  (db: Db, accountId: string, now: Date, batch: number): Promise<number> =>
    deleteEntries(db, accountId, lowestIdAt(new Date(now.getTime() - days(keptDays))), batch);
