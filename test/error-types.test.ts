import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTypes } from '../src/errors.ts';
import { document } from './support/conform.ts';

const entries = Object.entries(errorTypes);

test('the guide lists every type of error, with its status and what it means', () => {
  const guide = readFileSync('docs/guides/errors.md', 'utf8');
  const rows = guide.match(/^\| `\w+` \| \d{3} \| .* \|$/gm);
  expect(rows).toEqual(entries.map(([type, { status, means }]) => `| \`${type}\` | ${status} | ${means} |`));
});

test('the OpenAPI document has every type of error', () => {
  const { error } = document.components.schemas.ApiError?.properties ?? {};
  const type = error?.properties?.type as { enum?: string[]; description?: string } | undefined;
  expect(type?.enum).toEqual(Object.keys(errorTypes));
  for (const [name, { means }] of entries) {
    expect(type?.description).toContain(`\`${name}\``);
    expect(type?.description).toContain(means);
  }
});

test('every type of error can be answered with', () => {
  const sources = globSync('src/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(Object.keys(errorTypes).filter((type) => !sources.includes(`'${type}'`))).toEqual([]);
});
