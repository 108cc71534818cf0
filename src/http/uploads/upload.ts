import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Upload } from '../routes/route.ts';
import { whenOver } from '../server/answer-over.ts';
import { contentType } from '../server/form.ts';
import { readFormFile } from './form-file.ts';
import { takeTime } from './steady.ts';

/** The body of a request that was not parsed: a file, or a form with one. */
export function uploadOf(request: FastifyRequest, reply: FastifyReply | undefined): Upload {
  const { 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  const type = contentType(request);
  takeTime(request.raw);
  const isForm = /^multipart\/form-data\b/i.test(type);
  return {
    announcedBytes: length === undefined ? (chunked === undefined ? 0 : null) : Number(length),
    readFile: async (keep) =>
      isForm
        ? readFormFile(request.raw, type, keep)
        : { kept: await keep(request.raw), name: null, fields: {} },
    setFingerprint(bytes) {
      request.rawBody = bytes;
    },
    whenOver(then) {
      if (reply) whenOver(reply, then);
    },
  };
}
