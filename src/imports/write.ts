import { changes, merged } from '../changes.ts';
import { attempt } from '../db/records/attempt.ts';
import { newRow, type WithId } from '../db/records/columns.ts';
import { AppError } from '../errors.ts';
import { QueueFull } from '../events/queue-room.ts';
import { formatId } from '../ids.ts';
import { decimalsOf } from '../money.ts';
import { mapInSlices, TimeSlice } from '../system/time-slices.ts';
import { parse } from '../validation.ts';
import type { Values } from './cells/field.ts';
import { hasKey, keysToRemember } from './identify.ts';
import { rememberKeys } from './imports.store.ts';
import type { Draft, Kind, Work } from './kind.ts';
import { lower } from './kinds/same.ts';
import { isRepeat, noteMade, otherValues } from './repeats.ts';
import type { FileReport } from './report.ts';

type Stored = WithId<Values>;

interface Step {
  draft: Draft;
  row: Stored;
  /** Unless it is added. */
  before?: Stored;
}

/** Creates and changes the records of a batch of rows. Whatever is not allowed becomes a problem of its row. */
export async function writeBatch(work: Work, kind: Kind, drafts: Draft[], report: FileReport): Promise<void> {
  const current = await findCurrent(work, kind, drafts, false);
  const added: Step[] = [];
  const changing: Draft[] = [];
  const slice = new TimeSlice();
  for (const draft of drafts) {
    if (slice.isOver()) await slice.next();
    const before = draft.recordId === null ? undefined : current.get(draft.recordId);
    if (before === undefined || kind.isReplaced?.(draft, before)) {
      draft.recordId = null;
      const row = addedRow(work, kind, draft);
      if (row) added.push({ draft, row });
    } else if (work.addsOnly) {
      report.unchanged += 1;
    } else if (changedRow(work, kind, draft, before) !== null) {
      if (isRepeat(kind, draft)) draft.problems.push(otherValues(kind, draft));
      else changing.push(draft);
    } else if (draft.problems.length === 0) report.unchanged += 1;
  }
  // They are read again under a lock, so that nobody else's change is lost between the read and the write.
  const locked = changing.length > 0 ? await findCurrent(work, kind, changing, true) : current;
  const again = await mapInSlices(changing, (draft) => {
    const before = locked.get(draft.recordId ?? '');
    const row = before ? changedRow(work, kind, draft, before) : null;
    return before && row ? [{ draft, row, before }] : [];
  });
  const changed = again.flat();
  // Changes come first, because a lease that now ends earlier makes room for a new one.
  report.update += await writeSteps(
    work,
    changed,
    (rows) => kind.writer.change(work.tx, work, rows, locked),
    kind,
  );
  const exported = new Set(added.filter(({ draft }) => draft.keys.id !== null).map(({ row }) => row.id));
  const adding = { ...work, exported };
  report.create += await writeSteps(work, added, (rows) => kind.writer.add(work.tx, adding, rows), kind);
  for (const { draft, row } of added) {
    draft.recordId ??= row.id;
    noteMade(work, kind, draft, draft.recordId);
  }
  const keys = drafts
    .filter(({ problems, recordId }) => problems.length === 0 && recordId !== null)
    .flatMap((draft) => {
      const record_id = draft.recordId ?? '';
      return keysToRemember(kind, draft, current.get(record_id)).map((key) => ({ key, record_id }));
    });
  await rememberKeys(work.tx, work.accountId, kind.noun, keys);
}

async function findCurrent(
  { tx, accountId }: Work,
  kind: Kind,
  drafts: Draft[],
  lock: boolean,
): Promise<Map<string, Stored>> {
  const ids = drafts.map(({ recordId }) => recordId).filter((id) => id !== null);
  const rows = ids.length === 0 ? [] : await kind.writer.find(tx, accountId, [...new Set(ids)], lock);
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * The new record's row, checked by the schema of POST. If there is a problem, it is noted in the draft, and the result
 * is null.
 */
function addedRow({ currency }: Work, kind: Kind, draft: Draft): Stored | null {
  const external =
    kind.hasExternalId && draft.keys.external !== null ? { external_id: draft.keys.external } : {};
  const input = checked(draft, () =>
    parse(kind.create, publicValues(kind, { ...draft.values, ...external })),
  );
  if (input === null) return null;
  const row: Stored = newRow(kind.table, { ...input, source: 'import' });
  // The statement gives a payment without a currency that of its lease.
  if (kind.noun === 'lease')
    Object.assign(row, { tenant_ids: input.tenant_ids, currency: row.currency ?? currency });
  return row;
}

/** The changed row, checked by the schema of PATCH. Null if nothing changes or there is a problem. */
function changedRow(work: Work, kind: Kind, draft: Draft, before: Stored): Stored | null {
  const problems = draft.problems.length;
  keepSpelling(kind, draft, before);
  for (const [name, { field, reason }] of Object.entries(kind.fixed))
    if (draft.values[name] !== undefined && draft.values[name] !== before[name])
      draft.problems.push({ field, reason });
  if (kind.hasCurrency && draft.values.currency === undefined) refuseOtherDecimals(kind, draft, before);
  const { external } = draft.keys;
  // A record that was found by its contents and already has another external_id keeps that one.
  const named = external !== null && !(kind.adopts && before.external_id !== null && draft.keys.id === null);
  const said = Object.entries({
    ...draft.values,
    ...(kind.hasExternalId && named ? { external_id: external } : {}),
  }).filter(
    ([name, value]) =>
      value !== undefined && !(name in kind.fixed) && !isOnlyNew(kind, draft, kind.dayOf?.[name] ?? name),
  );
  if (draft.problems.length > problems || said.length === 0) return null;
  const patch = checked(draft, () => parse(kind.patch, publicValues(kind, Object.fromEntries(said))));
  if (patch === null || !changes(before, patch)) return null;
  const next = merged<Values>(before, kind.completed?.(work, patch, before) ?? patch) as Stored;
  const refusal = kind.refuse?.(before, next) ?? null;
  if (refusal === null) return next;
  draft.problems.push(refusal);
  return null;
}

/** A row that was matched by name may spell the name in capitals. That is no reason to rename the record. */
function keepSpelling({ spelt = [] }: Kind, draft: Draft, before: Stored): void {
  if (hasKey(draft)) return;
  for (const name of spelt) if (lower(draft.values[name]) === lower(before[name])) delete draft.values[name];
}

/** Whether the value comes from a column that counts for new records only. */
const isOnlyNew = ({ onlyNew = [], money }: Kind, { cells }: Draft, name: string): boolean =>
  onlyNew.some((field) => money[field] === name && cells[field] !== undefined) &&
  Object.keys(money).every((field) => money[field] !== name || onlyNew.includes(field) || !cells[field]) &&
  typeof cells[name] !== 'number';

/** An amount without a currency was read in the account's currency. It must not be written to a record in yen, say. */
function refuseOtherDecimals(kind: Kind, draft: Draft, before: Stored): void {
  const read = Object.keys(kind.money).find((field) => draft.cells[field]);
  if (read === undefined || typeof before.currency !== 'string' || draft.decimals === undefined) return;
  if (decimalsOf(before.currency) !== draft.decimals)
    draft.problems.push({
      field: read,
      reason: `Name the currency: the ${kind.noun} is in ${before.currency}.`,
    });
}

/** Ids as the API writes them, which the schemas expect. */
function publicValues(kind: Kind, values: Values): Values {
  const shown = { ...values };
  for (const [name, prefix] of Object.entries(kind.ids)) {
    const value = values[name];
    if (typeof value === 'string') shown[name] = formatId(prefix, value);
    else if (Array.isArray(value)) shown[name] = value.map((id: string) => formatId(prefix, id));
  }
  return shown;
}

function checked(draft: Draft, check: () => unknown): Values | null {
  try {
    return check() as Values;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    draft.problems.push(...problemsOf(error, ''));
    return null;
  }
}

function problemsOf({ type, publicMessage }: AppError, conflictField: string) {
  if (typeof publicMessage === 'string')
    return [
      {
        field: conflictField,
        reason: type === 'lease_overlap' ? `${publicMessage} ${ofRenewals}` : publicMessage,
      },
    ];
  const fields = Object.entries(publicMessage.fieldErrors).flatMap(([field, reasons]) =>
    reasons.map((reason) => ({ field, reason })),
  );
  return [...fields, ...publicMessage.formErrors.map((reason) => ({ field: conflictField, reason }))];
}

function conflictFieldOf(kind: Kind, { row, before }: Step, { type }: AppError): string {
  const changed = kind.conflictFields?.[type]?.find((name) => before && row[name] !== before[name]);
  return changed ?? kind.conflictField;
}

/** A list may have a renewal as a separate lease. If it becomes one lease, its earlier rent stays unchanged. */
const ofRenewals =
  'If the row renews that lease, leave it out, and renew the lease on its page or with POST /leases/{id}/renew.';

/** The database refused a batch. The file has errors, and is read again to find each of them. */
export class Refused extends Error {
  constructor() {
    super('The database refused some of the rows.');
  }
}

/**
 * Writes all rows in one statement. If the database refuses it, writes each half, and so on until only the rows at
 * fault are left. Returns how many were written.
 */
async function writeSteps(
  work: Work,
  steps: Step[],
  write: (rows: Stored[]) => Promise<unknown>,
  kind: Kind,
): Promise<number> {
  if (steps.length === 0) return 0;
  const all = () => write(steps.map(({ row }) => row));
  try {
    await (work.careful ? attempt(work.tx, all) : all());
    return steps.length;
  } catch (error) {
    if (!(error instanceof AppError) || error instanceof QueueFull) throw error;
    if (!work.careful) throw new Refused();
    const [only] = steps;
    if (only && steps.length === 1) {
      only.draft.problems.push(...problemsOf(error, conflictFieldOf(kind, only, error)));
      return 0;
    }
    const middle = Math.ceil(steps.length / 2);
    const first = await writeSteps(work, steps.slice(0, middle), write, kind);
    return first + (await writeSteps(work, steps.slice(middle), write, kind));
  }
}
