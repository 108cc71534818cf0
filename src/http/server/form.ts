import type { FastifyRequest } from 'fastify';
import { badRequest } from '../../errors.ts';

/**
 * An upload as browsers send it, multipart/form-data, parsed by Node's own Response. The body is in memory by then,
 * within the route's limit.
 */
export async function readForm(request: FastifyRequest): Promise<FormData> {
  const { rawHeaders } = request.raw;
  // http/server/body.ts takes the header away, because it plays no part anywhere else; the raw list still has it.
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type');
  const type = rawHeaders[at + 1] ?? '';
  try {
    const body = new Uint8Array(request.rawBody ?? []);
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    throw badRequest('The body must be a form with files (multipart/form-data).');
  }
}
