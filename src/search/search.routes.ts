import { route } from '../http/routes/route.ts';
import { listOf } from '../shapes.ts';
import { SearchQuery, SearchResult, searchTypes } from './search.schema.ts';
import { searchEverything } from './search.ts';

export const searchRoutes = [
  route({
    method: 'GET',
    path: '/search',
    permission: 'read',
    tag: 'Search',
    summary: 'Find properties, tenants, units, leases, payments and maintenance requests',
    query: SearchQuery,
    success: 200,
    response: listOf(SearchResult),
    async handle({ db, caller, query }) {
      // People may read all kinds of record.
      const found = await searchEverything(db, caller.accountId, query.q, () => true);
      const data = found.filter(({ type }) => (searchTypes as readonly string[]).includes(type));
      return { body: JSON.stringify({ data, count: data.length }) };
    },
  }),
];
