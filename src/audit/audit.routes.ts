import { listReply, route } from '../http/routes/route.ts';
import { pageBounds } from '../paging.ts';
import { listOf } from '../shapes.ts';
import { AuditEntry, AuditList } from './audit.schema.ts';
import { listEntries } from './audit.store.ts';

/** Of the dashboard alone. A key has no role: through one, a manager would read what is for owners. */
export const auditRoutes = [
  route({
    method: 'GET',
    path: '/audit-log',
    permission: 'read',
    access: 'owner',
    tag: 'Account',
    summary: 'What was done to the account: sign-ins, keys, roles, exports, settings',
    query: AuditList,
    success: 200,
    response: listOf(AuditEntry),
    handle: async ({ app, db, caller, query }) =>
      listReply(await listEntries(db, caller.accountId, query, pageBounds(query, app.secrets, '/audit-log'))),
  }),
];
