import { route } from '../http/routes/route.ts';
import { listOf } from '../shapes.ts';
import { SearchQuery, SearchResult } from './search.schema.ts';
import { search } from './search.store.ts';

export const searchRoutes = [
  route({
    method: 'GET',
    path: '/search',
    permission: 'read',
    tag: 'Search',
    summary: 'Find properties, tenants and units',
    query: SearchQuery,
    success: 200,
    response: listOf(SearchResult),
    async handle({ db, caller, query }) {
      const found = await search(db, caller.accountId, query.q);
      return { body: `{"data":${found},"count":${JSON.parse(found).length}}` };
    },
  }),
];
