import type { Db } from '../db/connect.ts';
import { searchOthers } from './others.store.ts';
import { type Found, scopesOfFound } from './search.schema.ts';
import { search } from './search.store.ts';

type Scope = (typeof scopesOfFound)[Found['type']];

/**
 * Records of all kinds: first those with names, then those that belong to them, and then others that contain the text.
 * What the caller may not read does not appear, leads to no other records, and lends them no name.
 */
export async function searchEverything(
  db: Db,
  accountId: string,
  text: string,
  mayRead: (scope: Scope) => boolean,
): Promise<Found[]> {
  const isReadable = ({ type }: Found) => mayRead(scopesOfFound[type]);
  const named = (JSON.parse(await search(db, accountId, text)) as Found[]).filter(isReadable);
  const idsOf = (type: Found['type']) => named.filter((each) => each.type === type).map(({ id }) => id);
  const others = await searchOthers(db, accountId, text, {
    tenants: idsOf('tenant'),
    units: idsOf('unit'),
    namesTenants: mayRead('tenants'),
    namesPlaces: mayRead('properties') && mayRead('units'),
  });
  const results = named.map((each) =>
    each.type === 'unit' && !mayRead('properties') ? { ...each, subtitle: null } : each,
  );
  return [...results, ...others.filter(isReadable)];
}
