import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Database } from '../../src/db/connect.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { routes } from '../../src/http/routes.ts';
import { describeSchema } from './schema-document.ts';
import { settingsTable } from './settings-table.ts';

export interface Document {
  path: string;
  /** What it should say. */
  text: string;
  /** What it says; null where it is not there. */
  current: string | null;
  write(): void;
}

/** Every committed document that is made from code or from the database's catalog. */
export async function documents(db: Database): Promise<Document[]> {
  return [
    document('openapi.json', () => `${JSON.stringify(openApiDocument(routes), null, 2)}\n`),
    document('db/schema.md', await describeSchema(db).then((text) => () => text)),
    document('README.md', (current) => between(current ?? '', 'settings', settingsTable())),
  ];
}

function document(path: string, make: (current: string | null) => string): Document {
  const url = new URL(`../../${path}`, import.meta.url);
  const current = existsSync(url) ? readFileSync(url, 'utf8') : null;
  const text = make(current);
  return { path, text, current, write: () => writeFileSync(url, text) };
}

/** The text with what stands between the two markers replaced. */
function between(text: string, marker: string, content: string): string {
  const pattern = new RegExp(`<!-- ${marker} -->[^]*<!-- /${marker} -->`);
  if (!pattern.test(text))
    throw new Error(`README.md has no place for the ${marker}: <!-- ${marker} --> … <!-- /${marker} -->`);
  return text.replace(pattern, () => `<!-- ${marker} -->\n${content}\n<!-- /${marker} -->`);
}
