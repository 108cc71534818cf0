import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonSchema } from '../../../src/http/openapi/schemas.ts';
import { document, nonconformity } from '../../support/conform.ts';
import type { Draft } from './requests.ts';
import type { Given, Neighbour, Sent } from './world.ts';

interface Described {
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
  responses: Record<string, DescribedResponse>;
}
interface DescribedResponse {
  headers?: Record<string, unknown>;
  content?: Record<string, { example?: unknown }>;
  'x-alternatives'?: Record<string, { example?: unknown }>;
}

/** What is wrong with an answer. Null if it is sound and as the document promises. */
export function complaint(draft: Draft, sent: Sent, given: Given, neighbour: Neighbour): string | null {
  return (
    soundness(given, neighbour) ??
    conformity(draft, given) ??
    headerConformity(draft, given) ??
    carelessness(draft, sent, given)
  );
}

function soundness({ status, headers, text }: Given, { marker, client }: Neighbour): string | null {
  if (status >= 500) return 'it is a fault of ours';
  if (!/^req_[0-9a-f]{32}$/.test(String(headers['x-request-id']))) return 'it has no X-Request-Id';
  if (headers['cache-control'] !== 'no-store') return 'it may be kept in a cache';
  if (text.includes(marker) || text.includes(client.key)) return 'it tells of another account';
  return null;
}

function conformity({ method, path }: Draft, { status, headers, text }: Given): string | null {
  const type = String(headers['content-type']);
  if (method === 'HEAD') {
    if (text !== '') return 'an answer to HEAD has a body';
    return described(path, 'GET')?.responses[status] ? null : `the document has no ${status} for it`;
  }
  if (type === 'application/json; charset=utf-8')
    return nonconformity(method, `/api/v1${path.replace('{id}', 'x')}`, status, JSON.parse(text));
  const media = type.split(';', 1)[0] ?? '';
  const response = described(path, method)?.responses[status];
  const promised = response?.content?.[media] ?? response?.['x-alternatives']?.[media];
  // A file that people store has its own type and content.
  if (!promised && response?.content?.['*/*']) return null;
  if (!promised) return `the document has no ${type} for it`;
  // After the columns of the example there may be those of expanded records. Rejected rows have the columns of the file
  // that was sent, so the document cannot name them.
  const opening = openings[media] ?? String(promised.example ?? '').trimEnd();
  return text.startsWith(opening) ? null : `it does not begin with ${opening}`;
}

/** How documents begin. A CSV file begins with the columns of its example. */
const openings: Record<string, string> = {
  'text/html': '<!doctype html>',
  'application/pdf': '%PDF-',
  'application/zip': 'PK',
};

/** Headers that are only sometimes sent. */
const conditional = [
  ...['link', 'etag', 'x-total-count', 'idempotent-replayed', 'preference-applied', 'warning'],
  'x-service-mode',
];

/**
 * Whether the headers that the document names are there, and no header of those that are only sometimes sent that it
 * does not name.
 */
function headerConformity({ method, path, query, as }: Draft, { status, headers }: Given): string | null {
  const response = described(path, method === 'HEAD' ? 'GET' : method)?.responses[status];
  if (!response) return null;
  const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  // A caller who is refused for failing too often, or who has only a link, has no key whose limit could count.
  const isStranger = as === 'nobody' || as === 'other' || query.some(([name]) => name === 'link');
  const missing = named.find(
    (name) =>
      !(name in headers) &&
      !conditional.includes(name) &&
      !(isStranger && name.startsWith('ratelimit')) &&
      // Only some conflicts end by themselves.
      !(status === 409 && name === 'retry-after'),
  );
  if (missing) return `it lacks the header ${missing}`;
  if (status >= 300) return null;
  const unnamed = conditional.find((name) => name in headers && !named.includes(name));
  return unnamed ? `the document does not name its header ${unnamed}` : null;
}

const ajv = new Ajv2020({ strict: false });
(formats as unknown as (on: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'document', components: document.components });

/** A body that the document does not allow must not be accepted. */
function carelessness(
  { method, path }: Draft,
  { body }: Sent,
  { status, headers, text }: Given,
): string | null {
  const reference = described(path, method)?.requestBody?.content['application/json']?.schema.$ref;
  if (!reference || status >= 300 || 'idempotent-replayed' in headers) return null;
  const validate = ajv.getSchema(`document${reference}`);
  if (!validate) throw new Error(`${reference} leads nowhere.`);
  const given = JSON.parse(body ?? '{}') as Record<string, unknown>;
  if (path.endsWith('/batch') && !leaveCreated(given, text)) return null;
  if (validate(given) || validate(withoutBlanks(given))) return null;
  return `the body was taken though ${ajv.errorsText(validate.errors)}`;
}

/** Leaves only the items that were created in a batch. False if there are none. */
function leaveCreated(given: Record<string, unknown>, text: string): boolean {
  const { results } = JSON.parse(text).data as { results: { status: number }[] };
  const items = given.items as Record<string, unknown>[];
  given.items = items.filter((_, at) => results[at]?.status === 201);
  return results.some(({ status }) => status === 201);
}

/** An empty text in a field that may be null clears the field, whatever its type is. */
const withoutBlanks = ({ items, ...body }: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'string' && value.trim() === '' ? null : value,
    ]),
  ),
  ...(Array.isArray(items) ? { items: items.map(withoutBlanks) } : {}),
});

function described(path: string, method: string): Described | undefined {
  const operation = document.paths[path]?.[method.toLowerCase()] as unknown as Described | undefined;
  if (!operation) return undefined;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const name = (response as { $ref?: string }).$ref?.split('/').at(-1);
    return [status, name ? document.components.responses[name] : response];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}
