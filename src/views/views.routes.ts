import { route, single } from '../http/routes/route.ts';
import { formatId } from '../ids.ts';
import { listOf, singleOf } from '../shapes.ts';
import { DeletedView, SavedView, SavedViewCreate, SavedViewUpdate } from './views.schema.ts';
import { changeView, deleteView, describeViews, saveView } from './views.ts';

const tag = 'Saved views';
/** Viewers can save views too, because views change nothing in the account. */
const access = 'member';

export const viewRoutes = [
  route({
    method: 'GET',
    path: '/views',
    permission: 'read',
    access,
    tag,
    summary: "List saved views of all lists: one's own and the team's",
    success: 200,
    response: listOf(SavedView),
    async handle({ db, caller }) {
      const views = await describeViews(db, caller);
      return { body: `{"data":${views},"count":${JSON.parse(views).length}}` };
    },
  }),
  route({
    method: 'POST',
    path: '/views',
    permission: 'write',
    access,
    tag,
    summary: 'Save the filters, search and order of a list under a name',
    body: SavedViewCreate,
    success: 201,
    response: singleOf(SavedView),
    conflicts: 'The limit of saved views is reached.',
    async handle({ db, caller, body, now }) {
      return single(await saveView(db, caller, body, now));
    },
  }),
  route({
    method: 'PATCH',
    path: '/views/:id',
    permission: 'write',
    access,
    tag,
    summary: 'Rename a saved view, overwrite it, or share it with the team',
    id: 'view',
    body: SavedViewUpdate,
    success: 200,
    response: singleOf(SavedView),
    conflicts: 'The limit of saved views is reached.',
    async handle({ db, caller, id, body, now }) {
      return single(await changeView(db, caller, id, body, now));
    },
  }),
  route({
    method: 'DELETE',
    path: '/views/:id',
    permission: 'write',
    access,
    tag,
    summary: 'Delete a saved view',
    id: 'view',
    success: 200,
    response: singleOf(DeletedView),
    async handle({ db, caller, id }) {
      await deleteView(db, caller, id);
      return single(JSON.stringify({ id: formatId('view', id), deleted: true }));
    },
  }),
];
