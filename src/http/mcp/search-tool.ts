import { z } from 'zod';
import { hasScope } from '../../api-keys/scopes.ts';
import type { App } from '../../app.ts';
import type { Caller } from '../../caller.ts';
import { retryUnavailable } from '../../db/connect.ts';
import { onBehalfOf } from '../../db/on-behalf-of.ts';
import { searchText } from '../../fields.ts';
import { searchEverything } from '../../search/search.ts';
import { parse } from '../../validation.ts';

/** This is not a route of the API, where each list is searched by its own filters. */
export const searchDefinition = {
  name: 'search',
  description:
    'Find any record by a part of a name, address, e-mail, phone number, external_id, reference, memo or title. Leases and payments are found by their tenants and units too.',
  inputSchema: { type: 'object' as const, properties: { q: { type: 'string' } }, required: ['q'] },
  annotations: { readOnlyHint: true },
};

const Arguments = z.strictObject({ q: searchText });

/** Finds only what the key may read. */
export async function callSearch(app: App, caller: Caller, args: unknown): Promise<object> {
  const { q } = parse(Arguments, args);
  const db = onBehalfOf(app.db, caller.accountId);
  const mayRead = (scope: string) => hasScope(caller, scope);
  const data = await retryUnavailable(() => searchEverything(db, caller.accountId, q, mayRead));
  return { data, count: data.length };
}
