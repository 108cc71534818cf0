import { z } from 'zod';
import { guardText } from './cells.ts';

/** A column of a list's CSV: its header, and where its value is in the record. */
export interface Column {
  header: string;
  path: string[];
  /** Whether records have it only on request. */
  isOptional?: true;
}

/** The columns of a list's records, or of a record's rows. Null if the response has neither. */
export function columnsOf(response: z.ZodType, rows?: string): Column[] | null {
  if (!(response instanceof z.ZodObject)) return null;
  const { data } = response.shape;
  const list = rows === undefined ? ('count' in response.shape ? data : null) : fieldOf(data, rows);
  if (!(list instanceof z.ZodArray)) return null;
  const record = inner(list.element as z.ZodType);
  return record instanceof z.ZodObject ? flatten(record, []) : null;
}

const fieldOf = (record: unknown, name: string): unknown =>
  record instanceof z.ZodObject ? record.shape[name] : null;

/**
 * Nested objects become columns of their own: property.name becomes property_name, and the names of several tenants
 * become tenants_name. A field of the record itself wins over a nested one of the same name (a tenant's lease_status
 * over lease.status).
 */
function flatten(record: z.ZodObject, path: string[]): Column[] {
  return Object.entries(record.shape).flatMap(([name, schema]) => {
    const field = inner(schema as z.ZodType);
    const object = field instanceof z.ZodArray ? inner(field.element as z.ZodType) : field;
    const columns =
      object instanceof z.ZodObject
        ? flatten(object, [...path, name]).filter(
            ({ header }) => path.length > 0 || !(header in record.shape),
          )
        : [{ header: [...path, name].join('_'), path: [...path, name] }];
    return path.length === 0 && schema instanceof z.ZodOptional
      ? columns.map((column) => ({ ...column, isOptional: true as const }))
      : columns;
  });
}

/** The schema inside nullable, optional and the like. */
function inner(schema: z.ZodType): z.ZodType {
  const wrapped = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional;
  return wrapped ? inner(schema.unwrap() as z.ZodType) : schema;
}

export function cellsOf(record: unknown, columns: Column[]): string[] {
  return columns.map(({ path }) => cellOf(valueAt(record, path)));
}

function valueAt(value: unknown, path: string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined || value === null || value === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => valueAt(item, path));
  return valueAt((value as Record<string, unknown>)[name], rest);
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return guardText(value);
  if (typeof value !== 'object') return String(value);
  const plain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  return guardText(plain ? value.join(';') : JSON.stringify(value));
}
