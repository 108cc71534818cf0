import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { countFile } from '../routes/csv.ts';
import type { SentFile } from '../routes/route.ts';
import { knownTag, names, type Tag } from './entity-tag.ts';

/** For uploaded files: a browser that shows one runs nothing in it and gives it no origin. */
const policy = "default-src 'none'; frame-ancestors 'none'; sandbox";

/** Sends a file, or the requested range of it (RFC 9110, section 14). */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: SentFile): FastifyReply {
  const { content, type, name, inline } = file;
  const tag: Tag = `"${file.tag}"`;
  const size = Buffer.isBuffer(content) ? content.length : content.size;
  reply
    .header('content-type', type)
    .header('content-disposition', disposition(name, inline))
    .header('content-security-policy', policy)
    .header('accept-ranges', 'bytes')
    .header('etag', tag);
  if (request.caller?.source === 'dashboard') reply.header('cross-origin-resource-policy', 'same-origin');
  const known = request.headers['if-none-match'];
  if (known !== undefined && knownTag(known, tag) !== undefined)
    return reply.code(304).removeHeader('content-type').send();

  const range = rangeOf(request, size, tag);
  if (range === 'none')
    throw new AppError('range_not_satisfiable', 'The file has no such bytes.', {
      'content-range': `bytes */${size}`,
    });
  const { from, until } = range ?? { from: 0, until: size };
  if (range !== null) reply.code(206).header('content-range', `bytes ${from}-${until - 1}/${size}`);
  reply.header('content-length', until - from);
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  if (Buffer.isBuffer(content)) return reply.send(content.subarray(from, until));
  countFile(request.caller?.accountId ?? '', reply);
  return reply.send(Readable.from(content.read(from, until), { highWaterMark: 1 }));
}

/** The name twice: in ASCII for old programs, and as it is (RFC 6266). */
function disposition(name: string, inline: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${whole}`;
}

interface Range {
  from: number;
  until: number;
}

/** Null means the whole file. Requests for several ranges, which nobody needs, also get the whole file. */
function rangeOf({ headers, method }: FastifyRequest, size: number, tag: Tag): Range | 'none' | null {
  const { range, 'if-range': ifRange } = headers;
  if (range === undefined || method === 'HEAD') return null;
  // The file has changed since the first part was read. (We send no Last-Modified that could be used instead.)
  if (ifRange !== undefined && !names(String(ifRange), tag)) return null;
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(range) ?? [];
  if (first === '' && last === '') return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const until = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < from) return null;
  return from < until ? { from, until } : 'none';
}
