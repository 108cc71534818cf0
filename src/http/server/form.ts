import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../errors.ts';
import { Turns } from '../../system/turns.ts';

/** A part of a form: a file if it has a name of its own, otherwise a field. */
export interface FormPart {
  filename: string | null;
  content: Buffer;
}

export type Form = ReadonlyMap<string, FormPart>;

/** The forms here have a file for each kind of record, and options. */
const mostParts = 1_000;
const mostHeaderBytes = 4 * 1024;
/** Looking for the end of a part goes on in turns. */
const windowBytes = 256 * 1024;
const headersEnd = '\r\n\r\n';

/**
 * An upload as browsers send it: multipart/form-data (RFC 7578). The body is in memory by then, within the route's
 * limit. Node's own `Response.formData()` would read it in one go, and takes seconds for a million parts. The
 * contents here are views of the body, not copies.
 */
export async function readForm(request: FastifyRequest): Promise<Form> {
  const form = await parseForm(contentType(request), request.rawBody ?? Buffer.alloc(0));
  if (form === null)
    throw badRequest('invalid_form', 'The body must be a form with files (multipart/form-data).');
  return form;
}

/** http/server/body.ts takes the header away, because it plays no part anywhere else; the raw list still has it. */
function contentType({ raw: { rawHeaders } }: FastifyRequest): string {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  return rawHeaders[at + 1] ?? '';
}

/** Null if the body is something else, or breaks off. */
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
    // From that line end on, since there may be no headers.
    const headers = body.toString('utf8', at, at + mostHeaderBytes);
    const end = body.subarray(at, at + mostHeaderBytes).indexOf(headersEnd);
    if (end === -1) return null;
    const from = at + end + headersEnd.length;
    const until = await indexInTurns(body, delimiter, from);
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

async function indexInTurns(body: Buffer, wanted: Buffer, from: number): Promise<number> {
  const turns = new Turns();
  for (let at = from; at < body.length; at += windowBytes) {
    if (turns.isOver()) await turns.next();
    const found = body.subarray(at, at + windowBytes + wanted.length - 1).indexOf(wanted);
    if (found !== -1) return at + found;
  }
  return -1;
}
