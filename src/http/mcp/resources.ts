import { readFileSync } from 'node:fs';
import { McpError, type ReadResourceResult, type Resource } from '@modelcontextprotocol/sdk/types.js';
import { guides } from '../guides/list.ts';

const uriOf = (name: string) => `tenure://guides/${name}`;
const mimeType = 'text/markdown';
/** The protocol's code for a missing resource. */
const notFound = -32_002;

/** The guides, for an assistant that helps somebody integrate, or wants to know how the ledger counts. */
export const guideResources: Resource[] = guides.map(({ name, label, group }) => ({
  uri: uriOf(name),
  name,
  title: label,
  description: `A guide of Tenure: ${group}.`,
  mimeType,
}));

export function readGuide(uri: string): ReadResourceResult {
  const guide = guides.find(({ name }) => uriOf(name) === uri);
  if (guide === undefined) throw new McpError(notFound, 'Resource not found', { uri });
  const text = readFileSync(new URL(`../../../${guide.file}`, import.meta.url), 'utf8');
  return { contents: [{ uri, mimeType, text }] };
}
