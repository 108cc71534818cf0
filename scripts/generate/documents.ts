import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Database } from '../../src/db/connect.ts';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { apiRoutes } from '../../src/http/routes/routes.ts';
import { clientTypes, type OpenApiDocument } from './client-types.ts';
import { postmanCollection } from './postman.ts';
import { describeSchema } from './schema-document.ts';
import { settingsDocument } from './settings-document.ts';

export interface Document {
  path: string;
  /** What it should say. */
  text: string;
  /** What it says now. Null if it is missing. */
  current: string | null;
  write(): void;
}

/** Every committed document that is generated from code or from the database's catalog. */
export async function documents(db: Database): Promise<Document[]> {
  const openApi = openApiDocument(apiRoutes);
  return [
    document('openapi.json', `${JSON.stringify(openApi, null, 2)}\n`),
    document('clients/typescript/src/api.ts', clientTypes(openApi as OpenApiDocument)),
    document(
      'clients/postman/tenure.postman_collection.json',
      `${JSON.stringify(postmanCollection(openApi as OpenApiDocument), null, 2)}\n`,
    ),
    document('db/schema.md', await describeSchema(db)),
    document('docs/settings.md', settingsDocument()),
  ];
}

function document(path: string, text: string): Document {
  const url = new URL(`../../${path}`, import.meta.url);
  const current = existsSync(url) ? readFileSync(url, 'utf8') : null;
  return { path, text, current, write: () => writeFileSync(url, text) };
}
