import type { z } from 'zod';
import { badRequest, type ValidationResult } from './errors.ts';

/** The checked value, or a 400 that says what is wrong with each field. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw badRequest('validation_failed', validationResult(result.error, value));
}

/** For a query, where a parameter given twice becomes a list, which only filters of several values take. */
export function parseQuery<Schema extends z.ZodType>(
  schema: Schema,
  query: Record<string, unknown>,
): z.output<Schema> {
  const result = schema.safeParse(query);
  if (result.success) return result.data;
  const { formErrors, fieldErrors } = validationResult(result.error, query);
  for (const { path, code } of result.error.issues) {
    const field = String(path[0]);
    if (Array.isArray(query[field]) && code !== 'custom') fieldErrors[field] = ['Must be given once.'];
  }
  throw badRequest('validation_failed', { formErrors, fieldErrors });
}

function validationResult(error: z.ZodError, given: unknown): ValidationResult {
  const result: ValidationResult = { formErrors: [], fieldErrors: {} };
  const ofWrongKind = new Set<string>();
  for (const issue of error.issues.flatMap(asMeant)) {
    const [field, ...rest] = issue.path;
    // A value of the wrong kind gets no second complaint, about its length say.
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

/** A value that has the form of one of several choices is told what is wrong with it as that one. */
function asMeant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const inside = issue.errors.find((found) => found.every(({ path }) => path.length > 0));
  return inside?.map((found) => ({ ...found, path: [...issue.path, ...found.path] })) ?? [issue];
}

/** Nobody learns anything from half a million messages about half a million wrong entries. */
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
