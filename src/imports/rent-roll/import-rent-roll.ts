import type { Row } from '../../csv/rows.ts';
import { formatId, type IdPrefix, parseId } from '../../ids.ts';
import { mapInSlices } from '../../system/time-slices.ts';
import type { Field } from '../cells/field.ts';
import type { Currencies } from '../draft.ts';
import { importRows, type OnProgress } from '../import-file.ts';
import { findOpenLeases, findTenantsOfUnit } from '../imports.store.ts';
import type { Kind, RecordKind, Work } from '../kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { lower } from '../kinds/same.ts';
import { References } from '../references.ts';
import {
  addErrors,
  type FileReport,
  guessNotes,
  ignoredColumns,
  newReport,
  type RowError,
} from '../report.ts';
import { SeenKeys } from '../seen-keys.ts';
import type { Column, Survey } from '../survey.ts';
import { type Entity, type Unfolded, unfold } from './unfold.ts';

/** The kinds of record in a rent roll, in the order in which they are made. */
const order = ['properties', 'units', 'tenants', 'leases'] as const;
type Part = (typeof order)[number];

/** Makes properties, units, tenants and leases from one sheet, as if each came in a file of its own. */
export async function importRentRoll(
  work: Work,
  survey: Survey,
  currencies: Currencies,
  onProgress: OnProgress,
): Promise<FileReport> {
  const report = newReport('rent_roll', survey.source.name);
  report.ignored_columns = ignoredColumns(survey.columns);
  report.notes = guessNotes(survey);
  addErrors(report, survey.errors);
  if (survey.errors.length > 0) return report;
  const sheet = await unfold(survey, new Set(survey.leftOut.keys()), work.today);
  report.skipped = sheet.skipped;
  report.rows = sheet.rows;
  for (const [note, count] of sheet.notes) report.notes.push(count > 1 ? `${note} (${count} rows)` : note);
  survey.filled = sheet.filled;
  survey.asOf = sheet.asOf;
  const failed = new Failures(survey, sheet, report);
  failed.add(sheet.errors);
  const ids = new Map<Entity, string>();
  for (const part of order) {
    // Rows that belong to a failed record are checked once that has been corrected.
    const entities = sheet[part].filter(
      (entity) => !failed.has(entity) && entity.of.every((other) => ids.has(other)),
    );
    if (part === 'leases') await takeKnownStarts(work, entities, ids);
    const counts = await importPart({ ...work, addsOnly: part === 'properties' }, part, entities, {
      survey,
      currencies,
      ids,
      failed,
      leases: sheet.leases,
    });
    report.parts.push({ kind: part, ...counts });
    report.create += counts.create;
    report.update += counts.update;
    report.unchanged += counts.unchanged;
    if (report.error_count > 0) work.events = false;
    if (report.error_count >= work.mostErrors) break;
    onProgress({
      survey,
      rows: Math.round((sheet.rows * (order.indexOf(part) + 1)) / order.length),
      bytes: survey.source.size,
    });
  }
  if (sheet.rows === 0 && report.error_count === 0)
    addErrors(report, [
      { line: survey.headerLine, column: null, reason: 'No units were found below the header.' },
    ]);
  return report;
}

interface PartWork {
  survey: Survey;
  currencies: Currencies;
  /** The records made or found so far, as the API writes their ids. */
  ids: Map<Entity, string>;
  failed: Failures;
  /** The sheet's leases. */
  leases: Entity[];
}

async function importPart(
  work: Work,
  part: Part,
  entities: Entity[],
  { survey, currencies, ids, failed, leases }: PartWork,
) {
  const kind = kinds[part] as Kind;
  const report = newReport(part, survey.source.name);
  const { columns, rows } = await asRows(kind, survey, entities, ids);
  if (rows.length === 0) return { create: 0, update: 0, unchanged: 0 };
  const byRow = new Map(rows.map((row, at) => [row, entities[at] as Entity]));
  const own: Survey<Kind> = { ...survey, kind, columns, failed: new Map(), leftOut: new Map() };
  const tenantsOfUnit = part === 'tenants' ? await findInUnits(work, byRow, leases, ids) : undefined;
  await importRows(
    // What the previous part has written must be found.
    {
      ...work,
      references: new References(work.tx, work.accountId),
      seen: new SeenKeys(),
      ...(tenantsOfUnit && { tenantsOfUnit }),
    },
    own,
    currencies,
    rows,
    report,
    {
      onRecord: (row, recordId) => {
        const entity = byRow.get(row);
        if (entity) ids.set(entity, formatId(kind.prefix, recordId));
      },
    },
  );
  failed.add([...own.failed.values()].flat(), entities);
  const { create, update, unchanged } = report;
  return { create, update, unchanged };
}

/**
 * The known people in the unit whose name a row of the sheet has there. Two people with the same name are told apart in
 * other ways.
 */
async function findInUnits(
  { tx, accountId }: Work,
  byRow: Map<Row, Entity>,
  leases: Entity[],
  ids: Map<Entity, string>,
): Promise<Map<Row, string | null>> {
  const unitOf = new Map(leases.flatMap(({ of: [unit, ...tenants] }) => tenants.map((one) => [one, unit])));
  const asked = [...byRow].map(([row, entity]) => {
    const unit = unitOf.get(entity);
    const { first_name = '', last_name = '' } = entity.cells;
    return { row, unit_id: uuidOf('unit', unit && ids.get(unit)), first_name, last_name };
  });
  const placed = asked.flatMap(({ unit_id, ...one }) => (unit_id === null ? [] : [{ ...one, unit_id }]));
  const nameIn = (one: (typeof placed)[number]) =>
    `${one.unit_id} ${lower(one.first_name)} ${lower(one.last_name)}`;
  const named = Map.groupBy(placed, nameIn);
  const found = await findTenantsOfUnit(tx, accountId, placed);
  return new Map(
    placed.map((one, at) => {
      const [id = null, ...others] = found.get(at) ?? [];
      return [one.row, others.length === 0 && named.get(nameIn(one))?.length === 1 ? id : null];
    }),
  );
}

/** If the sheet does not say when a lease began, it is the lease that its tenants already have, if there is one. */
async function takeKnownStarts(
  { tx, accountId, today }: Work,
  leases: Entity[],
  ids: Map<Entity, string>,
): Promise<void> {
  const open = leases.filter(({ startIsAssumed }) => startIsAssumed);
  const found = await findOpenLeases(
    tx,
    accountId,
    open.map(({ of: [unit, ...tenants] }) => ({
      unit_id: uuidOf('unit', unit && ids.get(unit)) ?? '',
      tenant_ids: tenants.flatMap((tenant) => uuidOf('ten', ids.get(tenant)) ?? []),
    })),
    today,
  );
  open.forEach(({ cells }, at) => {
    const [start, ...others] = found.get(at) ?? [];
    if (start !== undefined && others.length === 0) cells.start_date = start;
  });
}

const uuidOf = (prefix: IdPrefix, id: string | undefined): string | null =>
  id === undefined ? null : parseId(prefix, id);

/** Fields of the records, each with the field of the sheet that it comes from, if that has another name. */
const sources: Record<RecordKind, Record<string, string>> = {
  properties: { name: 'property', external_id: 'property_id', type: 'property_type' },
  units: {
    name: 'unit',
    external_id: 'unit_id',
    property_id: 'property',
    bedrooms: 'bed_bath',
    bathrooms: 'bed_bath',
    offline: 'status',
  },
  tenants: { external_id: 'tenant_id', first_name: 'tenants', last_name: 'tenants' },
  leases: {
    external_id: 'lease_id',
    unit_id: 'unit',
    tenant_ids: 'tenants',
    start_date: 'move_in',
    ended_on: 'move_out',
  },
  charges: {},
  payments: {},
  credits: {},
  maintenance: {},
};

/** The records as rows of a file of their kind, with the sheet's headers, so that errors name those. */
async function asRows(kind: Kind, { columns: all }: Survey, entities: Entity[], ids: Map<Entity, string>) {
  const used = new Set(entities.flatMap(({ cells }) => Object.keys(cells)));
  const references =
    kind.name === 'units' ? ['property_id'] : kind.name === 'leases' ? ['unit_id', 'tenant_ids'] : [];
  const columns = kind.fields
    .filter(({ name }) => used.has(name) || references.includes(name))
    .map((field) => columnOf(kind, field, all));
  const rows = await mapInSlices(entities, ({ line, cells, of }): Row => {
    const [parent, ...others] = of.map((entity) => ids.get(entity) ?? '');
    const links: Record<string, string> = {
      property_id: parent ?? '',
      unit_id: parent ?? '',
      tenant_ids: others.join(';'),
    };
    return {
      line,
      cells: columns.map(({ field }) => {
        const name = field?.name ?? '';
        return (references.includes(name) ? links[name] : cells[name]) ?? '';
      }),
    };
  });
  return { columns, rows };
}

function columnOf(kind: Kind, field: Field, all: Column[]): Column {
  const named = (name: string | undefined) => all.find((column) => column.field?.name === name);
  const from = sources[kind.name][field.name];
  const source = named(field.name) ?? named(from) ?? (from === 'tenants' ? named('last_name') : undefined);
  const style = source?.style ?? { dateOrder: null, decimalMark: null, nameOrder: null, currency: null };
  return {
    header: source?.header ?? field.name,
    // An empty cell says nothing, except for the end of a lease, which then has none.
    field: {
      ...field,
      empty: field.empty === 'refused' ? 'refused' : field.name === 'end_date' ? 'cleared' : 'kept',
    },
    style,
  };
}

/**
 * Wrong rows, and all other rows of the same lease: if only half a lease were imported, the other half would be lost
 * when the rows are corrected.
 */
class Failures {
  readonly #survey: Survey;
  readonly #report: FileReport;
  readonly #leases = new Map<number, Entity[]>();

  constructor(survey: Survey, { leases }: Unfolded, report: FileReport) {
    this.#survey = survey;
    this.#report = report;
    for (const lease of leases)
      for (const line of lease.lines) this.#leases.set(line, [...(this.#leases.get(line) ?? []), lease]);
  }

  has({ lines }: Entity): boolean {
    return [...lines].every((line) => this.#survey.failed.has(line));
  }

  add(errors: RowError[], entities: Entity[] = []): void {
    const byLine = Map.groupBy(entities, ({ line }) => line);
    addErrors(this.#report, errors);
    for (const error of errors) {
      const lines = new Set([error.line]);
      for (const lease of this.#leases.get(error.line) ?? []) for (const line of lease.lines) lines.add(line);
      for (const entity of byLine.get(error.line) ?? [])
        if (entity.of.length > 1) for (const line of entity.lines) lines.add(line);
      for (const line of lines)
        this.#survey.failed.set(line, [
          ...(this.#survey.failed.get(line) ?? []),
          line === error.line ? error : withOther(error, line),
        ]);
    }
  }
}

const withOther = (error: RowError, line: number): RowError => ({
  line,
  column: null,
  reason: `Belongs to the lease in line ${error.line}, which has an error.`,
});
