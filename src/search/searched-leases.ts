import type { Searched } from './search-by-names.ts';

/** Leases under the alias `l`: found by their tenants, their unit and its property, and their external_id. */
export const searchedLeases: Searched = {
  table: 'leases',
  alias: 'l',
  text: "lower(' ' || l.external_id)",
  hasText: 'l.external_id is not null',
  tenants: 'id',
  unitsVia: 'own',
};
