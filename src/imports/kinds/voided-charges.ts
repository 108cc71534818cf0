import { ownVoidReasons } from '../../ledger/charges/charges.schema.ts';
import { takeBackCharge } from '../../ledger/charges/charges.ts';
import { findScheduled, type OccasionWanted } from '../entries.store.ts';
import { noRecord, rememberKeys } from '../imports.store.ts';
import type { Draft, Work } from '../kind.ts';

/*
 * An export of Tenure has voided charges too. They are not imported, but payments and credits may name them, and the
 * lease has charged some of them here by itself.
 */

/**
 * Voids what a person voided in the account that the file comes from. Once the `others`, the rows that are imported,
 * are written, the result remembers what the ids of the voided ones refer to: the charge in its place, or nothing.
 */
export async function followVoided(
  work: Work,
  drafts: Draft[],
  others: Draft[],
): Promise<() => Promise<void>> {
  const { tx, accountId } = work;
  const unknown = await newIn(work, drafts);
  const wanted = await occasionsOf(work, unknown);
  const standing = new Set(others.filter(isOfLease).map(occasionOf));
  const gone = wanted.filter(({ draft }) => isByHand(draft) && !standing.has(occasionOf(draft)));
  for (const [at, id] of await findScheduled(tx, accountId, gone, { known: false }))
    await takeBackCharge(tx, work, id, String(gone[at]?.draft.cells.void_reason));
  return async () => {
    const replaced = wanted.filter(({ draft }) => !isByHand(draft));
    const found = await findScheduled(tx, accountId, replaced, { known: true });
    const inPlace = new Map(replaced.map(({ draft }, at) => [draft, found.get(at)]));
    const keys = unknown.map((draft) => ({
      key: draft.keys.id ?? '',
      record_id: inPlace.get(draft) ?? noRecord,
    }));
    await rememberKeys(tx, accountId, 'charge', keys);
  };
}

/** What the voided charges were for, of those that leases made by themselves. */
async function occasionsOf(work: Work, drafts: Draft[]): Promise<(OccasionWanted & { draft: Draft })[]> {
  const ofLease = drafts.filter(isOfLease);
  const found = await work.references.leases(
    ofLease.map(({ cells }) => ({ text: String(cells.lease_id), reads: 'ids' })),
  );
  return ofLease.flatMap((draft, at) => {
    const lease = found[at];
    if (lease === undefined || !('id' in lease)) return [];
    const { kind, period } = draft.values;
    return [
      { draft, lease_id: lease.id, kind: String(kind), period: kind === 'rent' ? String(period) : null },
    ];
  });
}

/** Rows with an id of another account that no import has seen before. */
async function newIn(work: Work, drafts: Draft[]): Promise<Draft[]> {
  const ours = drafts.filter(({ keys }) => keys.id !== null);
  const known = await work.references.charges(
    ours.map(({ keys }) => ({ text: keys.id ?? '', reads: 'ids' })),
  );
  return ours.filter((_, at) => 'reason' in (known[at] ?? {}));
}

/** Whether the lease made the charge by itself: a rent or the deposit. */
const isOfLease = ({ cells, values }: Draft): boolean =>
  cells.source === 'schedule' &&
  !cells.recurring_charge_id &&
  (values.kind === 'deposit' || (values.kind === 'rent' && typeof values.period === 'string'));

const occasionOf = ({ cells, values }: Draft): string =>
  [cells.lease_id, values.kind, values.kind === 'rent' ? values.period : ''].join(' ');

const isByHand = ({ cells }: Draft): boolean =>
  typeof cells.void_reason === 'string' && !(ownVoidReasons as readonly string[]).includes(cells.void_reason);
