import { listReply, route } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf } from '../shapes.ts';
import { AuditEntry, AuditList } from './audit.schema.ts';
import { listEntries } from './audit.store.ts';

/** Keys have no role: a key needs the scope to read the log, and only an owner can give it (ownersScopes). */
export const auditRoutes = [
  route({
    method: 'GET',
    path: '/audit-log',
    permission: 'read',
    access: 'owner',
    tag: 'Account',
    summary: 'List the audit log',
    description:
      'Actions on the account itself: sign-ins, keys, roles, webhooks, exports, settings. Only a key to which an owner has given the scope `audit-log` may read it; a key without limits may not.',
    query: AuditList,
    success: 200,
    response: listOf(AuditEntry),
    handle: async ({ app, db, caller, query }) =>
      listReply(await listEntries(db, caller.accountId, query, pageBounds(query, app.secrets, '/audit-log'))),
  }),
];
