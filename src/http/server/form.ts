import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { badRequest, invalidField, payloadTooLarge } from '../../errors.ts';
import { TimeSlice } from '../../system/time-slices.ts';
import { maxBodyBytes } from './body.ts';

/** A part of a form: a file if it has a name of its own, otherwise a field. */
export interface FormPart {
  filename: string | null;
  content: Buffer;
}

export type Form = ReadonlyMap<string, FormPart>;

/** Our forms have a file for each kind of record, and options. */
const mostParts = 1_000;
const mostHeaderBytes = 4 * 1024;
/** The search for the end of a part runs in slices of time, one window at a time. */
const windowBytes = 256 * 1024;
const headersEnd = '\r\n\r\n';

/**
 * An upload as browsers send it: multipart/form-data (RFC 7578). By then the body is in memory, within the route's
 * limit. Node's own `Response.formData()` would read it in one go, and takes seconds for a million parts. The contents
 * here are views of the body, not copies.
 */
export function readForm(request: FastifyRequest): Promise<Form> {
  const form = known.get(request) ?? parseRequest(request);
  known.set(request, form);
  return form;
}

/** Forms that were read: an Idempotency-Key needs the form, and so does the route. */
const known = new WeakMap<FastifyRequest, Promise<Form>>();

async function parseRequest(request: FastifyRequest): Promise<Form> {
  const form = await parseForm(contentType(request), request.rawBody ?? Buffer.alloc(0));
  if (form === null)
    throw badRequest('invalid_form', 'The body must be a form with files (multipart/form-data).');
  return form;
}

/** The form that was sent; null if it is JSON, which has a smaller limit. */
export async function formOf(request: FastifyRequest): Promise<Form | null> {
  if (/^multipart\//i.test(contentType(request))) return readForm(request);
  if ((request.rawBody?.length ?? 0) > maxBodyBytes) throw payloadTooLarge();
  return null;
}

/** More than options need. Longer ones are refused without parsing, because the form may have 50 MiB. */
const longestField = 65_536;

/** The form as a JSON object. A file is represented by its name. */
export function fieldsOf(form: Form): Record<string, unknown> {
  const fields = [...form].map(([name, { filename, content }]) => {
    if (filename !== null) return [name, filename || 'file'];
    if (name !== 'file' && content.length > longestField)
      throw invalidField(name, `Must have at most ${longestField} bytes.`);
    return [name, fieldValue(content.toString('utf8'))];
  });
  return Object.fromEntries(fields);
}

/** A form contains only text: `true` and `{"Apt": "unit"}` become what they would be in JSON. */
function fieldValue(text: string): unknown {
  if (!/^(true|false|null|\{.*\})$/s.test(text.trim())) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The digest is equal if the parts are. */
export function digestOf(form: Form): Buffer {
  const hash = createHash('sha256');
  for (const [name, { filename, content }] of form)
    hash.update(JSON.stringify([name, filename, content.length])).update(content);
  return hash.digest();
}

/** Reads the raw list, because http/server/body.ts removes the header, which matters nowhere else. */
export function contentType({ raw: { rawHeaders } }: FastifyRequest): string {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  return rawHeaders[at + 1] ?? '';
}

/** Null if the body is something else, or is cut off. */
export async function parseForm(type: string, body: Buffer): Promise<Form | null> {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return null;
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  const parts = new Map<string, FormPart>();
  // The first delimiter has no line end in front of it.
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) return null;
  let at = delimiter.length - 2;
  for (let count = 0; count <= mostParts; count++) {
    const next = body.toString('latin1', at, at + 2);
    if (next === '--') return parts;
    if (next !== '\r\n') return null;
    // The search starts at that line end, because there may be no headers.
    const headers = body.toString('utf8', at, at + mostHeaderBytes);
    const end = body.subarray(at, at + mostHeaderBytes).indexOf(headersEnd);
    if (end === -1) return null;
    const from = at + end + headersEnd.length;
    const until = await indexInSlices(body, delimiter, from);
    if (until === -1) return null;
    const { name, filename } = disposition(headers.slice(0, headers.indexOf(headersEnd)));
    if (name === null) return null;
    if (!parts.has(name)) parts.set(name, { filename, content: body.subarray(from, until) });
    at = until + delimiter.length;
  }
  return null;
}

/** Browsers write a quote in a name as %22, and line ends as %0D and %0A. */
function disposition(headers: string): { name: string | null; filename: string | null } {
  const [, said = ''] = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(headers) ?? [];
  const value = (key: string) =>
    new RegExp(`(?:^|;)\\s*${key}=(?:"([^"]*)"|([^\\s;]*))`, 'i')
      .exec(said)
      ?.slice(1)
      .find((text) => text !== undefined)
      ?.replace(/%(22|0D|0A)/gi, decodeURIComponent) ?? null;
  return { name: value('name'), filename: value('filename') };
}

async function indexInSlices(body: Buffer, wanted: Buffer, from: number): Promise<number> {
  const slice = new TimeSlice();
  for (let at = from; at < body.length; at += windowBytes) {
    if (slice.isOver()) await slice.next();
    const found = body.subarray(at, at + windowBytes + wanted.length - 1).indexOf(wanted);
    if (found !== -1) return at + found;
  }
  return -1;
}
