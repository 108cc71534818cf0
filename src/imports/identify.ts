import { parseId } from '../ids.ts';
import type { Values } from './cells/field.ts';
import { type ExternalTable, findByExternalId, findKeys } from './imports.store.ts';
import type { Draft, Kind, Work } from './kind.ts';

/**
 * Finds the record that each row is about: by its id, by a key that an earlier import remembered, by its external_id,
 * and only then by its contents.
 */
export async function identify(work: Work, kind: Kind, drafts: Draft[]): Promise<void> {
  await byOwnId(work, kind, drafts);
  await byKey(work, kind, drafts, ({ keys }) => keys.id);
  await byKey(work, kind, drafts, ({ keys }) => keys.external);
  if (kind.hasExternalId) await byExternalId(work, kind, drafts);
  const left = drafts.filter(
    (draft) => draft.recordId === null && draft.problems.length === 0 && (kind.adopts || !hasKey(draft)),
  );
  if (left.length > 0) await kind.findSame(work, left);
}

export const hasKey = ({ keys }: Draft): boolean => keys.id !== null || keys.external !== null;

/**
 * In another system's file, the `id` column holds that system's ids, which are external ids to us. An id of ours
 * belongs to this account, or to the account that it was exported from.
 */
export function sortKeys(kind: Kind, { keys }: Draft): void {
  if (keys.id === null || parseId(kind.prefix, keys.id) !== null) return;
  keys.external ??= keys.id;
  keys.id = null;
}

async function byOwnId({ tx, accountId }: Work, kind: Kind, drafts: Draft[]): Promise<void> {
  const uuids = drafts.map(({ keys }) => (keys.id === null ? null : parseId(kind.prefix, keys.id)));
  const wanted = uuids.filter((uuid) => uuid !== null);
  if (wanted.length === 0) return;
  const own = new Set((await kind.writer.find(tx, accountId, wanted, false)).map(({ id }) => id));
  drafts.forEach((draft, at) => {
    const uuid = uuids[at] ?? null;
    if (uuid !== null && own.has(uuid)) draft.recordId = uuid;
  });
}

async function byKey(
  { tx, accountId }: Work,
  kind: Kind,
  drafts: Draft[],
  keyOf: (draft: Draft) => string | null,
): Promise<void> {
  const left = drafts.filter(({ recordId }) => recordId === null);
  const keys = left.map(keyOf).filter((key) => key !== null);
  const found = await findKeys(tx, accountId, kind.noun, keys);
  for (const draft of left) draft.recordId = found.get(keyOf(draft) ?? '') ?? null;
}

async function byExternalId({ tx, accountId }: Work, kind: Kind, drafts: Draft[]): Promise<void> {
  const left = drafts.filter(({ recordId, keys }) => recordId === null && keys.external !== null);
  if (left.length === 0) return;
  const table = kind.table.name as ExternalTable;
  const found = await findByExternalId(
    tx,
    accountId,
    table,
    left.map(({ keys }) => keys.external ?? ''),
  );
  left.forEach((draft, at) => {
    const ids = found.get(at) ?? [];
    if (ids.length > 1)
      draft.problems.push({
        field: 'external_id',
        reason: `${ids.length} ${table} have this external_id; make it unique first.`,
      });
    else draft.recordId = ids[0] ?? null;
  });
}

/**
 * Keys for the next import to find the record by, because the record itself does not keep them. For example, a charge
 * that Tenure made lacks the external_id of its row.
 */
export function keysToRemember(kind: Kind, draft: Draft, before: Values | undefined): string[] {
  const foreign =
    draft.keys.id !== null && parseId(kind.prefix, draft.keys.id) !== draft.recordId ? [draft.keys.id] : [];
  const { external } = draft.keys;
  const kept = kind.hasExternalId && (!kind.adopts || !before || before.external_id === external);
  return [...new Set([...foreign, ...(kept || external === null ? [] : [external])])];
}
