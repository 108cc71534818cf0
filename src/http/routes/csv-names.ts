import type { Column } from '../../csv/columns.ts';
import type { Db } from '../../db/connect.ts';
import { parseId } from '../../ids.ts';
import { type Named, readNames } from './csv-names.store.ts';

/*
 * Records refer to others by id, which tells people nothing. So the files they download have the name beside each id.
 * An import ignores the names if it has the ids.
 */

type Fields = Record<string, unknown>;

const kinds: Record<string, Named> = {
  property_id: 'prop',
  unit_id: 'unit',
  tenant_id: 'ten',
  tenant_ids: 'ten',
};

const nameHeader = (idHeader: string): string => idHeader.replace('_id', '_name');

/** The columns, with one more for the name after each id that has no name among them. */
export function withNameColumns(columns: Column[]): Column[] {
  const headers = new Set(columns.map(({ header }) => header));
  return columns.flatMap((column) => {
    const name = nameHeader(column.header);
    return column.header in kinds && !headers.has(name) ? [column, { header: name, path: [name] }] : column;
  });
}

/** Fills in these columns, for the kinds of record that the caller may read. */
export async function addNames(
  db: Db,
  accountId: string,
  records: Fields[],
  mayName: (kind: Named) => boolean = () => true,
): Promise<void> {
  const ids: Record<Named, Set<string>> = { prop: new Set(), unit: new Set(), ten: new Set() };
  const links = records.flatMap((record) =>
    Object.entries(kinds).flatMap(([field, kind]) => {
      const value = record[field] as string | string[] | null | undefined;
      const header = nameHeader(field);
      if (value === null || value === undefined || header in record || !mayName(kind)) return [];
      const uuids = [value].flat().flatMap((id) => parseId(kind, id) ?? []);
      for (const uuid of uuids) ids[kind].add(uuid);
      return [{ record, header, uuids, isOne: !Array.isArray(value) }];
    }),
  );
  if (links.length === 0) return;
  const names = await readNames(db, accountId, {
    prop: [...ids.prop],
    unit: [...ids.unit],
    ten: [...ids.ten],
  });
  for (const { record, header, uuids, isOne } of links) {
    const shown = uuids.map((id) => names.get(id) ?? '');
    record[header] = isOne ? (shown[0] ?? '') : shown;
  }
}
