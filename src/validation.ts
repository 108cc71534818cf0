import type { z } from 'zod';
import { type AppError, badRequest, type ValidationResult } from './errors.ts';

/** The checked value, or a 400 that says what is wrong with each field. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest('validation_failed', validationResult(result.error, value));
}

/** A body was sent, but no record could come from it. */
export type BodyFlaw = 'invalid_json' | 'validation_failed';

/**
 * A request's body. Anything but a JSON object fails like an empty one, with a message that says so. In strict mode,
 * fields that the schema does not know are refused as well.
 */
export function parseBody<Schema extends z.ZodObject>(
  schema: Schema,
  body: unknown,
  { flaw, strict }: { flaw: BodyFlaw | null; strict: boolean },
): z.output<Schema> {
  const result = schema.safeParse(body ?? {});
  const unknown = strict ? unknownFields(schema, body) : [];
  if (result.success && unknown.length === 0 && flaw === null) return result.data;
  const { formErrors, fieldErrors } = wrongWith(result, body ?? {});
  if (flaw !== null || body === undefined || body === null)
    throw badRequest(flaw ?? 'validation_failed', {
      formErrors: ['The body is not a JSON object.'],
      fieldErrors,
    });
  throw refused({ formErrors, fieldErrors }, 'unknown_field', unknown);
}

/**
 * Reads a request's query. A repeated parameter becomes a list, which only filters with several values accept. An
 * unknown parameter is refused, because ignoring a filter would show records that nobody asked for. `others` are
 * parameters that the schema does not have.
 */
export function parseQuery<Schema extends z.ZodObject>(
  schema: Schema,
  query: Record<string, unknown>,
  others: string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(query);
  const unknown = unknownNames(query, [...Object.keys(schema.shape), ...others]);
  if (result.success && unknown.length === 0) return result.data;
  const { formErrors, fieldErrors } = wrongWith(result, query);
  for (const { path, code } of result.error?.issues ?? []) {
    const field = String(path[0]);
    if (Array.isArray(query[field]) && code !== 'custom') fieldErrors[field] = ['Must be given once.'];
  }
  throw refused({ formErrors, fieldErrors }, 'unknown_parameter', unknown);
}

/** Refuses unknown names, such as unknown arguments of a tool. */
export function refuseUnknown(given: object, known: string[]): void {
  const unknown = unknownNames(given, known);
  if (unknown.length > 0) throw refused({ formErrors: [], fieldErrors: {} }, 'unknown_parameter', unknown);
}

/** A name that the caller used and we do not know, where it is, and the names that we know there. */
interface Unknown {
  path: PropertyKey[];
  known: string[];
}

const unknownNames = (given: object, known: string[]): Unknown[] =>
  Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [name], known }));

/** Fields that the schema does not know, at any depth. */
function unknownFields(schema: z.core.$ZodType, value: unknown, path: PropertyKey[] = []): Unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
      return Object.entries(value).flatMap(([name, inner]) => {
        const at = [...path, name];
        const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
        return field ? unknownFields(field, inner, at) : [{ path: at, known: Object.keys(def.shape) }];
      });
    }
    case 'array':
      if (!Array.isArray(value)) return [];
      return value.flatMap((inner, at) => unknownFields(def.element, inner, [...path, at]));
    case 'union': {
      // Judged by the option that knows most of its fields.
      const [closest = []] = def.options
        .map((option) => unknownFields(option, value, path))
        .sort((one, other) => one.length - other.length);
      return closest;
    }
    case 'pipe':
      return unknownFields(def.in, value, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return unknownFields(def.innerType, value, path);
    default:
      return [];
  }
}

/** Nobody reads more names than these. */
const mostNames = 100;

function refused(
  { formErrors, fieldErrors }: ValidationResult,
  type: 'unknown_parameter' | 'unknown_field',
  unknown: Unknown[],
): AppError {
  const noun = type === 'unknown_field' ? 'fields' : 'parameters';
  // The names come from the caller, and a name such as `__proto__` must be a field of the answer like any other.
  const messages = new Map(Object.entries(fieldErrors));
  for (const { path, known } of unknown.slice(0, mostNames)) {
    const [field = '', ...rest] = path;
    const names =
      known.length === 0 ? `there are no ${noun} here` : `the ${noun} here are ${known.join(', ')}`;
    messages.set(String(field), told(messages.get(String(field)) ?? [], at(rest, `Is not known; ${names}.`)));
  }
  return badRequest(unknown.length > 0 ? type : 'validation_failed', {
    formErrors,
    fieldErrors: Object.fromEntries(messages),
  });
}

const wrongWith = (result: z.ZodSafeParseResult<unknown>, given: unknown): ValidationResult =>
  result.success ? { formErrors: [], fieldErrors: {} } : validationResult(result.error, given);

function validationResult(error: z.ZodError, given: unknown): ValidationResult {
  const result: ValidationResult = { formErrors: [], fieldErrors: {} };
  const ofWrongKind = new Set<string>();
  for (const issue of error.issues.flatMap(asMeant)) {
    const [field, ...rest] = issue.path;
    // If a value is of the wrong kind, a second complaint, for example about its length, is left out.
    const path = issue.path.join('.');
    if (ofWrongKind.has(path)) continue;
    if (issue.code === 'invalid_type') ofWrongKind.add(path);
    const missing = field !== undefined && valueAt(given, issue.path) === undefined;
    const message = at(rest, missing ? 'Required.' : issue.message);
    if (field === undefined) told(result.formErrors, message);
    else result.fieldErrors[String(field)] = told(result.fieldErrors[String(field)] ?? [], message);
  }
  return result;
}

/** If a value has the form of one of several choices, it gets the errors of that choice. */
function asMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside = issue.errors.find((found) => found.every(({ path }) => path.length > 0));
  return inside?.map((found) => ({ ...found, path: [...issue.path, ...found.path] })) ?? [issue];
}

/** Half a million messages about half a million wrong entries help nobody. */
const mostMessages = 20;

function told(messages: string[], message: string): string[] {
  if (messages.length < mostMessages) messages.push(message);
  return messages;
}

/** The message, led by the path inside the field: `[2].name: Must not be empty.` */
function at(path: PropertyKey[], message: string): string {
  if (path.length === 0) return message;
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return `${text.replace(/^\./, '')}: ${message}`;
}

function valueAt(value: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (inner: unknown, part) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[part],
    value,
  );
}
