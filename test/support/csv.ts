import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { operator } from '../../src/caller.ts';
import { memorySource } from '../../src/csv/source.ts';
import { type ImportRequest, importFiles, surveyFiles } from '../../src/imports/imports.ts';
import type { KindName } from '../../src/imports/kind.ts';
import type { ImportReport } from '../../src/imports/report.ts';
import type { Client, Service } from './service.ts';

export type CsvFiles = { [Kind in KindName]?: string | Buffer };

/** Imports files given as text into a client's account. */
export async function importCsv(
  service: Service,
  client: Client,
  files: CsvFiles,
  more: Partial<ImportRequest> & { map?: Record<string, string | null> } = {},
): Promise<ImportReport> {
  const { map = {}, ...rest } = more;
  const request: ImportRequest = {
    accountId: client.accountId,
    actor: { ...operator, type: 'import' },
    files: (Object.entries(files) as [KindName, string | Buffer][]).map(([kind, content]) => ({
      kind,
      source: memorySource(`${kind}.csv`, Buffer.from(content)),
      mapping: map,
    })),
    dateOrder: null,
    dryRun: false,
    events: true,
    now: new Date(),
    waitMs: 10_000,
    ...rest,
  };
  return importFiles(service.database.db, request, await surveyFiles(request));
}

/** Like importCsv, but everything must be imported. */
export async function importAll(...given: Parameters<typeof importCsv>): Promise<ImportReport> {
  const report = await importCsv(...given);
  expect(report.files.flatMap(({ errors }) => errors)).toEqual([]);
  expect(report.ok).toBe(true);
  return report;
}

/** The content of a CSV answer, read by a parser that is not ours: a record for each row. */
export const readCsv = (text: string): Record<string, string>[] => parse(text, { columns: true, bom: true });
