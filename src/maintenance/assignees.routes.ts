import { route } from '../http/routes/route.ts';
import { listOf } from '../shapes.ts';
import { Assignee, AssigneeQuery } from './assignees.schema.ts';
import { findAssignees } from './assignees.store.ts';

/** Only for the dashboard, which suggests them. */
export const assigneeRoutes = [
  route({
    method: 'GET',
    path: '/maintenance/assignees',
    permission: 'read',
    tag: 'Maintenance',
    summary: 'Who requests were assigned to',
    query: AssigneeQuery,
    success: 200,
    response: listOf(Assignee),
    async handle({ db, caller, query }) {
      const assignees = await findAssignees(db, caller.accountId, query.q ?? '');
      return { body: JSON.stringify({ data: assignees, count: assignees.length }) };
    },
  }),
];
