import type { App } from '../app.ts';
import { listReply, type Route, route, single } from '../http/routes/route.ts';
import { type PageQuery, pageBounds } from '../paging.ts';
import { listOf, singleOf } from '../shapes.ts';
import { HistoryEntry, HistoryList, NoteCreate } from './history.schema.ts';
import { addNote, readHistory } from './history.ts';
import { type Noun, nouns } from './nouns.ts';

/** The same two routes for every noun. */
export const historyRoutes: Route[] = nouns.flatMap((noun) => [history(noun), notes(noun)]);

function history(noun: Noun): Route {
  const path = `${noun.path}/:id/history`;
  const boundsOf = (query: PageQuery, { secrets }: App) => pageBounds(query, secrets, path);
  return route({
    method: 'GET',
    path,
    permission: 'read',
    tag: noun.tag,
    summary: `Get the history of ${noun.one}`,
    description:
      'Who changed it, when, and what from what to what, with notes that people made. Newest first.',
    id: noun.id,
    query: HistoryList,
    success: 200,
    response: listOf(HistoryEntry),
    // A wrong cursor is reported before a wrong id.
    prepare: async ({ app, query }) => void boundsOf(query, app),
    handle: async ({ app, db, caller, id, query }) =>
      listReply(await readHistory(db, noun, caller.accountId, id, boundsOf(query, app))),
  });
}

function notes(noun: Noun): Route {
  return route({
    method: 'POST',
    path: `${noun.path}/:id/notes`,
    permission: 'write',
    tag: noun.tag,
    summary: `Add a note to ${noun.one}`,
    description: 'It becomes part of the history, and stays as it is.',
    id: noun.id,
    body: NoteCreate,
    success: 201,
    response: singleOf(HistoryEntry),
    handle: async ({ db, caller, id, body }) => single(await addNote(db, noun, caller, id, body.note)),
  });
}
