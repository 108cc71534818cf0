import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { badRequest } from '../../errors.ts';
import type { UploadedFile } from '../routes/route.ts';

/** A field may be a name or an id. */
const limits = { fields: 10, fieldSize: 4096, files: 2, parts: 12, headerPairs: 20, fileSize: 1024 ** 3 };

const oneFile = 'A form has one file, in a part called `file`.';
const wrongForm = (message: string) => badRequest('invalid_form', message);

/**
 * Hands the file of a form to `keep` as it arrives. Returns its fields too, which may come before or after it. (The
 * forms of server/form.ts are in memory, because imports go through their files twice.)
 */
export async function readFormFile<Kept>(
  stream: Readable,
  contentType: string,
  keep: (file: Readable) => Promise<Kept>,
): Promise<UploadedFile<Kept>> {
  const form = formOf(contentType);
  const fields: Record<string, string> = {};
  let name: string | null = null;
  let kept: Promise<Kept> | undefined;
  const { promise: isRead, resolve, reject } = Promise.withResolvers<void>();
  form.on('field', (field, value) => {
    fields[field] = value;
  });
  form.on('file', (field, file, called) => {
    file.on('error', reject);
    if (kept !== undefined || field !== 'file') {
      file.resume();
      return reject(wrongForm(oneFile));
    }
    // Browsers write a quote in a name as %22, and line ends as %0D and %0A.
    name = called?.replace(/%(22|0D|0A)/gi, decodeURIComponent) ?? null;
    kept = keep(file);
    kept.catch(reject);
  });
  for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const)
    form.on(limit, () => reject(wrongForm(oneFile)));
  form.on('error', () => reject(wrongForm('The form is not proper multipart/form-data.')));
  form.on('finish', resolve);
  const onClose = () => {
    if (!stream.readableEnded) reject(badRequest('bad_request', 'The request was cut off.'));
  };
  stream.once('close', onClose).once('error', onClose);
  stream.pipe(form);
  try {
    await isRead;
    if (kept === undefined) throw wrongForm('The form must have a file, in a part called `file`.');
    return { kept: await kept, name, fields };
  } finally {
    // The rest of the body is discarded, so that the caller can read the answer.
    stream.unpipe(form);
    stream.resume();
  }
}

function formOf(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw wrongForm('The form has no boundary.');
  }
}
