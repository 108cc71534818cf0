import type { Caller } from '../caller.ts';
import type { Db } from '../db/connect.ts';
import { conflict, forbidden, invalidField, notFound } from '../errors.ts';
import { formatId, newId } from '../ids.ts';
import type { SavedView, SavedViewCreate, SavedViewUpdate } from './views.schema.ts';
import * as store from './views.store.ts';

/**
 * The limit for each person, and again for the team: more than anybody can keep track of, and few enough for one
 * answer.
 */
export const mostViews = 50;

/** A JSON array of the person's views and the team's. */
export async function describeViews(db: Db, caller: Caller): Promise<string> {
  const rows = await store.listViews(db, caller.accountId, personOf(caller));
  return JSON.stringify(rows.map(shown));
}

export function saveView(db: Db, caller: Caller, view: SavedViewCreate, now: Date): Promise<string> {
  const { list, name, query, shared } = view;
  return change(db, caller, async (tx, views) => {
    const wanted = { id: newId(), user_id: ownerOf(caller, shared), list, name, query };
    refuseMore(views, wanted.user_id);
    refuseSameName(views, wanted);
    return store.insertView(tx, { ...wanted, accountId: caller.accountId, now });
  });
}

/** If somebody stops sharing a view, it becomes theirs alone. */
export function changeView(
  db: Db,
  caller: Caller,
  id: string,
  patch: SavedViewUpdate,
  now: Date,
): Promise<string> {
  return change(db, caller, async (tx, views) => {
    const before = findForChange(caller, views, id);
    const { shared = before.user_id === null, name = before.name, query = before.query } = patch;
    const wanted = { id, user_id: ownerOf(caller, shared), list: before.list, name, query };
    if (wanted.user_id !== before.user_id) refuseMore(views, wanted.user_id);
    refuseSameName(views, wanted);
    return store.updateView(tx, { ...wanted, accountId: caller.accountId, now });
  });
}

export function deleteView(db: Db, caller: Caller, id: string): Promise<void> {
  const { accountId } = caller;
  return db.transaction(async (tx) => {
    await store.lockViews(tx, accountId);
    findForChange(caller, await store.listViews(tx, accountId, personOf(caller)), id);
    await store.deleteViews(tx, accountId, [id]);
  });
}

/** Deletes the views of somebody who leaves the team, in test mode too. Shared ones stay, because others use them. */
export async function forgetViewsOf(tx: Db, accountId: string, userId: string): Promise<void> {
  for (const id of await store.bothModes(tx, accountId)) await store.deleteViewsOf(tx, id, userId);
}

/**
 * Deletes views whose name, filters or search mention a tenant who is erased or deleted. A view that only happens to
 * contain such a word is deleted too; it is quickly made again.
 */
export async function forgetViewsAbout(
  tx: Db,
  accountId: string,
  mentions: (...texts: string[]) => boolean,
): Promise<void> {
  const about = (await store.listAllViews(tx, accountId)).filter(({ name, query }) =>
    mentions(name, ...new URLSearchParams(query).values()),
  );
  await store.deleteViews(
    tx,
    accountId,
    about.map(({ id }) => id),
  );
}

/** Makes one change at a time in an account, and only while the person is in its team. */
async function change(
  db: Db,
  caller: Caller,
  work: (tx: Db, views: store.ViewRow[]) => Promise<store.ViewRow>,
): Promise<string> {
  const userId = personOf(caller);
  return db.transaction(async (tx) => {
    const home = await store.lockViews(tx, caller.accountId);
    if (home === null || !(await store.holdMember(tx, home, userId))) throw forbidden();
    const row = await work(tx, await store.listViews(tx, caller.accountId, userId));
    return JSON.stringify(shown(row));
  });
}

/** A view of the team requires the permission to write, and so does giving a view to the team. */
function ownerOf(caller: Caller, shared: boolean): string | null {
  if (!shared) return personOf(caller);
  if (caller.permission !== 'write') throw forbidden();
  return null;
}

function findForChange(caller: Caller, views: store.ViewRow[], id: string): store.ViewRow {
  const view = views.find((each) => each.id === id);
  if (view === undefined) throw notFound();
  if (view.user_id === null && caller.permission !== 'write') throw forbidden();
  return view;
}

function refuseMore(views: store.ViewRow[], owner: string | null): void {
  if (views.filter(({ user_id }) => user_id === owner).length < mostViews) return;
  const whose = owner === null ? 'A team shares' : 'You can save';
  throw conflict('limit_reached', `${whose} at most ${mostViews} views; delete one that is no longer used.`);
}

type Named = Pick<store.ViewRow, 'id' | 'user_id' | 'list' | 'name'>;

function refuseSameName(views: store.ViewRow[], wanted: Named): void {
  const isSame = ({ id, user_id, list, name }: Named) =>
    id !== wanted.id &&
    user_id === wanted.user_id &&
    list === wanted.list &&
    name.toLowerCase() === wanted.name.toLowerCase();
  if (views.some(isSame)) throw invalidField('name', 'A view with this name already exists.');
}

function personOf({ userId }: Caller): string {
  if (userId === undefined) throw forbidden();
  return userId;
}

const shown = ({ id, user_id, ...row }: store.ViewRow): SavedView => ({
  id: formatId('view', id),
  list: row.list,
  name: row.name,
  query: row.query,
  shared: user_id === null,
  created_at: row.created_at,
  updated_at: row.updated_at,
});
