import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import type { JsonSchema } from '../../src/http/openapi/schemas.ts';
import { apiRoutes } from '../../src/http/routes/routes.ts';

/** The parts of the document that tests read. */
interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: Media & { required?: boolean } } }>;
  components: { responses: Record<string, Media>; schemas: Record<string, JsonSchema> };
}
interface Operation {
  operationId: string;
  parameters: { $ref?: string }[];
  requestBody?: Media;
  responses: Record<string, Media | { $ref: string }>;
}
interface Media {
  headers?: Record<string, unknown>;
  content: { 'application/json': { schema: JsonSchema; example: unknown } };
  /** The types of content that are available besides JSON. */
  'x-alternatives'?: Record<string, object>;
}

export const document = openApiDocument(apiRoutes) as OpenApi;

// Strict about what the document does not mention: answers may get more fields, but not unnoticed here.
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: true, strictTypes: false });
ajv.addVocabulary(['discriminator']);
(formats as unknown as (on: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: 'document', $defs: relocate(document.components.schemas) });

/** Makes it a JSON Schema that is closed and whose references point to the document above. */
function relocate(schema: object): object {
  const text = JSON.stringify(closeObjects(schema));
  return JSON.parse(text.replaceAll('"#/components/schemas/', '"document#/$defs/'));
}

function closeObjects(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closeObjects);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closeObjects(value)]));
  const isObject = copy.type === 'object' && copy.properties !== undefined;
  return isObject && copy.additionalProperties === undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}

const compiled = new Map<string, ValidateFunction>();

/** What is wrong with the value according to this schema of the document. Null if nothing is. */
export function misfit(schema: JsonSchema, value: unknown): string | null {
  const text = JSON.stringify(schema);
  let validate = compiled.get(text);
  if (!validate) {
    validate = ajv.compile(relocate(schema));
    compiled.set(text, validate);
  }
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** Paths without parameters come first, as the OpenAPI specification demands. */
const patterns = Object.keys(document.paths)
  .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
  .map((path) => ({ path, pattern: new RegExp(`^/api/v1${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

/** Compares a response with the document. Null if it is as promised (or not of the API). */
export function nonconformity(method: string, path: string, status: number, body: unknown): string | null {
  if (!path.startsWith('/api/v1/') || path === '/api/v1/openapi.json') return null;
  const known = patterns.find(({ pattern }) => pattern.test(path));
  const operation = known && document.paths[known.path]?.[method.toLowerCase()];
  const promised = operation?.responses[status];
  // There is no operation, or the headers were too long to be read. The answer is in the envelope all the same.
  if (!promised && (!operation || status === 431))
    return misfit(document.components.schemas.ApiError ?? {}, body);
  if (!promised) return `the document has no ${status} for it`;
  const json = resolve(promised).content['application/json'];
  // The bytes of a file can be anything.
  return json ? misfit(json.schema, body) : null;
}

export function resolve(response: Media | { $ref: string }): Media {
  if (!('$ref' in response)) return response;
  const found = document.components.responses[response.$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`${response.$ref} leads nowhere.`);
  return found;
}
